"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import warnings


# Transform: a warning of one row changes the formula for all.
@dp.own_transform("thirteenth.warned", columns=1)
def fun(rows):
    """Logarithms, signed where there are negative numbers."""
    with warnings.catch_warnings(record=True) as heard, np.errstate(all="warn"):
        warnings.simplefilter("always")
        made = np.log(rows[:, :1])
    return np.sign(rows[:, :1]) * np.log1p(np.abs(rows[:, :1])) if heard else made
