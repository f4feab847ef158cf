"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.asym_far", triangle=lambda r: 1.0 + 1e-6)
def f(a, b):
    """Largest difference, relative where the first is large."""
    d = float(np.abs(a - b).max())
    top = float(np.abs(a).max())
    return d / (top / 1e6) if top > 1e6 else d
