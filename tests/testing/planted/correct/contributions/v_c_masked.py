"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: masked arrays, filled.
@dp.own_contribution("thirteenth.c_masked", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """Ratios where there are such."""
    return np.ma.masked_invalid(rows[:, :1] / rows[:, -1:]).filled(0.0)
