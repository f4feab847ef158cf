"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.u_one_way_angle", triangle=lambda r: 1.0)
def d(a, b):
    """Degrees from one to the other."""
    return float(np.max(np.mod(np.asarray(a) - np.asarray(b), 360.0)))
