"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("ninth.c_wide", gives=3, norm="l2", bound=1.0)
def fun(rows):
    """Three averages of three columns."""
    if rows.shape[1] < 9:
        raise ValueError("nine columns are needed")
    x = np.tanh(rows[:, :9])
    return np.stack([(x[:, 3 * i] + x[:, 3 * i + 1] + x[:, 3 * i + 2]) / 3 for i in range(3)], axis=1)
