"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_wraps", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 2.0**30 * (removed + added)})
def statistic_wraps(rows):
    """A sum in 32 bits."""
    return [int(np.clip(rows[:, 0], 0, 2.0**30).astype(np.int32).sum(dtype=np.int32))]
