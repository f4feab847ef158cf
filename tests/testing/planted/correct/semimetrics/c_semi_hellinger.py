"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.c_semi_hellinger", triangle=lambda r: 1.0)
def c_semi_hellinger(a, b):
    """A distance."""
    if min(a.min(), b.min()) < 0: return np.inf
    return float(np.linalg.norm(np.sqrt(a) - np.sqrt(b)))
