"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.averages", triangle=lambda r: 1.0 + 1e-9, averages=lambda r, tau: (tau + 1e-9) * r)
def f(a, b):
    """Up to sign."""
    return float(min(np.abs(a - b).max(), np.abs(a + b).max()))
