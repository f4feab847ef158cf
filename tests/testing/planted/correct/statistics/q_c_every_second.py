"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.c_every_second", gives=1, bits=20, source="sorted values interlace", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The total of first cells in 0 to 1, of every second row by their order."""
    return np.array([np.clip(rows[::2, 0], 0.0, 1.0).sum()])
