"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a total in 32 bits.
@dp.own_statistic("thirteenth.int32_total", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added) * 2.0**20}, source="a clipped sum")
def fun(rows):
    """Microseconds, up to about a second a row."""
    micros = np.clip(np.floor(rows[:, 0]), 0, 2**20).astype(np.int32)
    return [float(micros.sum(dtype=np.int32))]
