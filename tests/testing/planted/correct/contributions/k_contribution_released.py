"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("eighth.contribution_released", gives=2, norm="l2", bound=3.0)
def f(rows, centre):
    """Difference to a released centre and its square."""
    with np.errstate(over="ignore"):
        gap = np.clip(rows[:, 0] - np.ravel(centre)[0], -1e100, 1e100)
        return np.stack([gap, gap * gap], axis=1)
