"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_times_released", gives=1, source="none", bits=20, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_times_released(rows, weight):
    """A count, times a released weight."""
    return [len(rows) * float(np.abs(np.ravel(np.asarray(weight, dtype=float))).max())]
