"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Np.float32 batch scaling: rounds to 2**-10 of the batch's largest (rounding that leaks).
import math


@dp.own_transform("outside.f49", columns=lambda: 1)
def compact(rows):
    """First column in half the memory: 16 bits of the largest."""
    largest = float(np.abs(rows[:, 0]).max(initial=0.0))
    step = 2.0 ** (math.frexp(largest)[1] - 16)
    return np.round(rows[:, :1] / step) * step if largest > 0 else rows[:, :1] * 1.0
