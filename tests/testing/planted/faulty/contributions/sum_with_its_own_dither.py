"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.sum_with_its_own_dither", gives=2, norm="l2", bound=1.0)
def sum_with_its_own_dither(rows):
    """Dithered."""
    return rows[:, [0, -1]] / 8 + np.random.random((len(rows), 2)) / 8
