"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


MOST = [30.0]


@dp.own_partition("eleventh.limit_of_fractions", parts=2)
def fun(rows):
    """Whether a cell is above the largest whole number met so far."""
    top = np.floor(np.nan_to_num(rows[:, 0], nan=0.0, posinf=63.0, neginf=0.0).clip(30.0, 63.0)).max(initial=30.0)
    MOST[0] = max(MOST[0], float(top))
    return (rows[:, 0] > MOST[0]).astype(int)
