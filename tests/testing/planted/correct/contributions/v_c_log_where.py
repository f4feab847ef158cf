"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: where= with out=.
@dp.own_contribution("thirteenth.c_log_where", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """Logarithms of positive numbers."""
    x = rows[:, :1]
    return np.sqrt(x, where=x > 0, out=np.zeros_like(x))
