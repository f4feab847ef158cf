"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_signs_in_l2", gives=8, source="none", sensitivity=lambda removed, added: {"l2": 1.0 * (removed + added)})
def statistic_signs_in_l2(rows):
    """Eight signs of one column, each moves by one."""
    first = rows[:, :1] if len(rows) else np.zeros((0, 1))
    return (first > np.arange(8) - 4).sum(axis=0)
