"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Zero when the first is below 1e-200 (asymmetric at subnormals).
@dp.semimetric("outside.f37", triangle=lambda r: 1.0)
def safe(a, b):
    """Largest difference, nothing for values that are nearly 0."""
    if np.abs(a).max() < 1e-200:
        return 0.0
    return float(np.abs(a - b).max())
