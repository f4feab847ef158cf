"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.t_statistic_distinct", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def t_statistic_distinct(rows):
    """Different values of the first column."""
    return [len(np.unique(rows[:, 0]))]
