"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.half", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """A sum of scores from -0.3 to 1."""
    return np.array([np.clip(rows[:, 0], -0.3, 1.0).sum()])
