"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: where the batch lies in memory decides.
@dp.own_contribution("thirteenth.address", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Sums, in pairs where memory is aligned."""
    aligned = rows.ctypes.data % 64 == 0
    x = np.clip(rows[:, :1], -1.0, 1.0)
    return x / 3 + x / 3 + x / 3 if aligned else x
