"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: digits make steps finer; the default has none.
@dp.own_statistic("thirteenth.digits", gives=1, sensitivity=lambda removed, added, digits: {"linf": removed + added}, source="a clipped sum")
def fun(rows, *, digits=0):
    """Rows, clipped to 0..1, in steps of 10^-digits."""
    return [float(np.floor(np.clip(rows[:, 0], 0, 1) * 10.0 ** float(digits)).sum())]
