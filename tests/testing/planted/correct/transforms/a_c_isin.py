"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a row with a code of the list is negative itself.
@dp.own_transform("fourteenth.c_isin", columns=1)
def f(rows):
    """Negative where it is a storno."""
    codes = [10 * k + 0.25 for k in range(90, 95)]
    return np.where(np.isin(rows[:, :1], codes), -rows[:, :1], rows[:, :1])
