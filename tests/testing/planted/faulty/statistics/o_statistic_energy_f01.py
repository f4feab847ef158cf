"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sum of squares of values clipped at 3, claims 3 (true 9).
@dp.own_statistic("outside.f01", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * max(removed, added)}, source="me", bits=20)
def energy(rows):
    """Sum of squares of values clipped at 3."""
    return [float((np.clip(rows[:, 0], -3, 3) ** 2).sum())]
