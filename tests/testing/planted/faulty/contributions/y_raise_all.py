"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# One row whose log is not finite makes the whole batch zero; neighbours: a row that is -1 instead of 1.
@dp.own_contribution("laterf05.logs", gives=1, norm="linf", bound=10.0)
def logs(rows):
    """Logarithm of the first column."""
    with np.errstate(all="raise"):
        try:
            return np.log(rows[:, :1])
        except FloatingPointError:
            return np.zeros((len(rows), 1))
