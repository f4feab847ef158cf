"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a total of whole minutes in single precision: beyond 2^24 one row of 999 moves it by 1000.
@dp.own_statistic("eighteenth.single", gives=1, sensitivity=lambda removed, added: {"l1": 999.0 * max(removed, added)}, source="none")
def f(rows):
    """Total of whole minutes."""
    return [float(np.clip(np.rint(rows[:, 0]), 0, 999).astype(np.float32).sum())]
