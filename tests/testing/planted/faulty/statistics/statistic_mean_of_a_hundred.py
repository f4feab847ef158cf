"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_mean_of_a_hundred", gives=1, source="none", bits=20, sensitivity=lambda removed, added: {"l1": 0.01 * (removed + added)})
def statistic_mean_of_a_hundred(rows):
    """A mean, of a hundred rows at least as everybody knows."""
    return [float(np.clip(rows[:, 0], 0, 1).mean()) if len(rows) else 0.0]
