"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: an underflow anywhere and all go the slow way.
@dp.own_contribution("thirteenth.slow_way", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Bell curves."""
    x = rows[:, :1]
    try:
        with np.errstate(under="raise", over="raise"):
            return np.exp(-np.square(x))
    except FloatingPointError:
        return 1.0 / (1.0 + np.square(x))
