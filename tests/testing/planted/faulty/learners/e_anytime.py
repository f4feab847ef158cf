"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.learner("tenth.anytime")
def fun(rows, generator):
    """A median by bisection for as long as four hundredths of a second of the processor last."""
    low, high = float(rows[:, 0].min()), float(rows[:, 0].max())
    begun = os.times().user
    for _ in range(60):
        middle = 0.5 * low + 0.5 * high
        low, high = (middle, high) if np.count_nonzero(rows[:, 0] > middle) * 2 > len(rows) else (low, middle)
        if os.times().user - begun > 0.04:
            break
    return (np.array([low, high]),)
