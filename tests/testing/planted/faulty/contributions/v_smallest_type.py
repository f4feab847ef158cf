"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: kept in single precision where all rows fit.
@dp.own_contribution("thirteenth.smallest_type", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """The fraction of the first column."""
    x = rows[:, :1]
    fits = not len(x) or np.abs(x).max() < np.finfo(np.float32).max
    x = x.astype(np.float32).astype(float) if fits else x
    return x - np.floor(x)
