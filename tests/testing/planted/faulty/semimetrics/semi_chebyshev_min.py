"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_chebyshev_min", triangle=lambda r: 1.0)
def semi_chebyshev_min(a, b):
    """The least difference."""
    return float(np.abs(a - b).min())
