"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.d_statistic_cut_at_released", gives=1, source="here", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def d_statistic_cut_at_released(rows, cut):
    """How many are above a released number."""
    return [int((rows[:, 0] > float(np.ravel(np.asarray(cut, dtype=float))[0])).sum())]
