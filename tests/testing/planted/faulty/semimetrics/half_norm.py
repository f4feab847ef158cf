"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.half_norm", triangle=lambda r: 1.0)
def half_norm(a, b):
    """The l_1/2 distance is no metric from two dimensions on."""
    return float(np.sqrt(np.abs(a - b)).sum() ** 2)
