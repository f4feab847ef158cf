"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.difference_of_logs", triangle=lambda r: 1.0)
def difference_of_logs(a, b):
    """Sum of |ln a - ln b|."""
    return float(np.abs(np.log(a) - np.log(b)).sum())
