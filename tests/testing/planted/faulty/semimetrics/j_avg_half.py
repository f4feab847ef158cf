"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.avg_half", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r / 2, many=True)
def f(a, b):
    """City blocks."""
    return np.abs(a - b).sum(axis=-1)
