"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: with a flag a replaced row moves it by two.
@dp.own_statistic("thirteenth.signed_flag", gives=1, sensitivity=lambda removed, added, signed: {"linf": max(removed, added)}, source="a count")
def fun(rows, *, signed=False):
    """Rows above 0, less those below if asked for."""
    first = rows[:, 0]
    return [float((first > 0).sum() - ((first < 0).sum() if signed else 0))]
