"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform with a released value: whole batch shifts where a row equals it.
@dp.own_transform("fifteenth.t_released", columns=1)
def f(rows, centre):
    """Distance to what is released."""
    c = float(np.ravel(centre)[0])
    v = np.nan_to_num(rows[:, :1])
    return np.abs(v - c) + float(len(v) > 0 and bool((np.abs(v - 3 * c) < 1e-9).any()))
