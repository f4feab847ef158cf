"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_log_ratio_sq", triangle=lambda r: 1.0)
def semi_log_ratio_sq(a, b):
    """Squared logarithms."""
    return float((np.log(np.abs(a) / np.abs(b)) ** 2).sum()) if (a * b != 0).all() else np.inf
