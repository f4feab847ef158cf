"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_single_precision", gives=1, source="none", bits=30, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_single_precision(rows):
    """A sum in single precision."""
    return [float(np.clip(rows[:, 0], -1, 1).astype(np.float32).sum())]
