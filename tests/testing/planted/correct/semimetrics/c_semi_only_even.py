"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.c_semi_only_even", triangle=lambda r: 1.0)
def c_semi_only_even(a, b):
    """A distance."""
    if len(a) % 2: raise ValueError('pairs')
    return float(np.abs(a - b).sum())
