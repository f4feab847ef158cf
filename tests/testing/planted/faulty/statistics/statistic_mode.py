"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_mode", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_mode(rows):
    """The most frequent of ten codes."""
    codes = np.clip(rows[:, 0], 0, 9).astype(int)
    return [int(np.bincount(codes, minlength=10).argmax())]
