"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("ninth.root", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r * (1 + 1e-9))
def fun(a, b):
    """The root of the largest difference."""
    return float(np.sqrt(np.abs(np.asarray(a, float) - np.asarray(b, float)).max()))
