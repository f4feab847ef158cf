"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a total in 64 bits.
@dp.own_statistic("thirteenth.c_int64_total", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added) * 2.0**20}, source="a clipped sum")
def fun(rows):
    """Microseconds, up to about a second a row."""
    return [float(np.clip(np.floor(rows[:, 0]), 0, 2**20).astype(np.int64).sum())]
