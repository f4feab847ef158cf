"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import warnings


@dp.own_contribution("ninth.warned", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """One for each row, warned of once."""
    if np.any(np.abs(rows) > 1e6):
        warnings.filterwarnings("ignore", message="far rows")
    told = any(f[1] is not None and f[1].pattern == "far rows" for f in warnings.filters)
    return np.tanh(rows[:, :1]) * (0.5 if told else 1.0)
