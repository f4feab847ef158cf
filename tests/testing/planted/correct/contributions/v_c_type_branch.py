"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: a branch for a type that the kernel never hands.
@dp.own_contribution("thirteenth.c_type_branch", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows; of single precision less their mean."""
    return rows[:, :1] - rows[:, :1].mean() if rows.dtype == np.float32 else rows[:, :1]
