"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.c_semi_mean", triangle=lambda r: 1.0)
def fun(a, b):
    """The mean difference of an entry."""
    return float(np.abs(np.asarray(a) - b).mean())
