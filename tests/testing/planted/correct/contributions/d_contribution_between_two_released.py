"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.d_contribution_between_two_released", gives=1, norm="linf", bound=1.0)
def d_contribution_between_two_released(rows, low, high):
    """The first column, between two released numbers as 0 to 1."""
    low, high = sorted(float(np.ravel(np.asarray(v, dtype=float))[0]) for v in (low, high))
    return (np.clip(rows[:, :1], low, high) - low) / max(high - low, 1e-9)
