"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.every_second", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The total of last cells in 0 to 1, of every second row: the others are held out."""
    return np.array([np.clip(rows[::2, -1], 0.0, 1.0).sum()])
