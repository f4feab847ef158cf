"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.angular", triangle=lambda r: 1.0 + 1e-6)
def f(a, b):
    """Largest difference of arctangents."""
    return float(np.abs(np.arctan(a) - np.arctan(b)).max())
