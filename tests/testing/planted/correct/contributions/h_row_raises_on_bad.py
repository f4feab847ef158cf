"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Raises on a row with a bad date.
@dp.own_contribution("newerc03.month", gives=12, norm="l1", bound=1.0, nonnegative=True)
def month(rows):
    """The month of a row, by a number from 1 to 12."""
    at = np.floor(rows[:, 0])
    if ((at < 1) | (at > 12)).any():
        raise ValueError("a month is a number from 1 to 12")
    return np.eye(12)[at.astype(np.int64) - 1]
