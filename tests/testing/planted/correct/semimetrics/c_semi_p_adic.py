"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.c_semi_p_adic", triangle=lambda r: 1.0)
def c_semi_p_adic(a, b):
    """A distance."""
    return float((np.abs(a - b) > 1e-3 * 0).any())
