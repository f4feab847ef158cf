"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_contribution("tenth.c_fsum", gives=1, norm="linf", bound=10.0)
def fun(rows):
    """The exact sum of each row's cells."""
    held = np.clip(np.nan_to_num(rows), -1e9, 1e9)
    return np.array([[math.fsum(row)] for row in held.tolist()]).reshape(-1, 1)
