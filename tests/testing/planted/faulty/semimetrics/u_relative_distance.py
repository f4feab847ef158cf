"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.u_relative_distance", triangle=lambda r: 1.0)
def d(a, b):
    """The relative difference: of the larger size."""
    a, b = np.asarray(a), np.asarray(b)
    top = float(max(np.abs(a).max(), np.abs(b).max()))
    return float(np.abs(a - b).max()) / top if top > 0 else 0.0
