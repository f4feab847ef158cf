"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.sorted_averages", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """How far two sets of centres are apart, in whatever order."""
    return float(np.abs(np.sort(a) - np.sort(b)).max(initial=0.0))
