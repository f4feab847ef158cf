"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.c_semi_weighted", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def c_semi_weighted(a, b):
    """A distance."""
    w = 1.0 / np.arange(1, len(a) + 1)
    return float((w * np.abs(a - b)).sum())
