"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: every second of the sorted rows: sums that interlace.
@dp.own_statistic("thirteenth.c_every_second", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="interlacing", bits=20)
def fun(rows):
    """The sum of every second row, clipped to 0..1 and in 1024ths."""
    x = np.sort(np.floor(np.clip(rows[:, 0], 0.0, 1.0) * 1024))
    return [float(x[::2].sum() / 1024)]
