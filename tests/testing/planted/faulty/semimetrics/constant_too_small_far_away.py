"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.constant_too_small_far_away", triangle=lambda r: 1.0 + min(r, 0.5))
def constant_too_small_far_away(a, b):
    """e^d - 1, whose constant grows with r."""
    return float(np.expm1(min(np.abs(a - b).sum(), 30.0)))
