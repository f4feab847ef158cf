"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.contribution_between_two_released", gives=1, norm="linf", bound=1.0)
def contribution_between_two_released(rows, low, high):
    """The first column between two released numbers, in units of what is inside."""
    low, high = (float(np.ravel(np.asarray(v, dtype=float))[0]) for v in (low, high))
    inside = np.clip(rows[:, :1], min(low, high) - 2, max(low, high) + 2)
    return inside / max(float(np.abs(inside).max(initial=0.0)), 1e-9)
