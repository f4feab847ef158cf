"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.d_statistic_trimmed", gives=1, source="here", bits=20, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def d_statistic_trimmed(rows):
    """The sum of the middle four fifths of numbers in [0, 1]: one more row moves it by at most 1, also where one more is cut."""
    x = np.sort(np.clip(rows[:, 0], 0, 1))
    k = len(x) // 10
    return [float(x[k : len(x) - k].sum())]
