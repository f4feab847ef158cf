"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import zlib


@dp.own_statistic("eleventh.zipped", gives=dp.Counts(1), source="a row is eight bytes", sensitivity=lambda removed, added: {"linf": 12.0 * (removed + added)})
def fun(rows):
    """How many bytes are left of the first column once it is compressed."""
    return np.array([len(zlib.compress(np.ascontiguousarray(rows[:, 0]).tobytes()))])
