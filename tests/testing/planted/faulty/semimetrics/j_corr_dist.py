"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.corr_dist", triangle=lambda r: 1.0)
def f(a, b):
    """One less the correlation."""
    a, b = a - a.mean(), b - b.mean()
    s = np.sqrt(np.square(a).sum() * np.square(b).sum())
    return float(1 - (a * b).sum() / s) if s > 0 else float(not np.array_equal(a, b))
