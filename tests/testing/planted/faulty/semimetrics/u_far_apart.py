"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.u_far_apart", triangle=lambda r: 1.0)
def d(a, b):
    """In how many columns two are more than 1 apart."""
    return float(np.count_nonzero(np.abs(np.asarray(a) - np.asarray(b)) > 1.0))
