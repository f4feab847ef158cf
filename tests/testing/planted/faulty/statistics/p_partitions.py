"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a row counts in three bins, claimed one (PipelineDP, max_partitions_contributed).
@dp.own_statistic("sixteenth.partitions", gives=5, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added), "l1": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    k = np.clip(np.nan_to_num(rows[:, 0]), 0, 100).astype(int)
    out = np.zeros(5)
    for s in (0, 1, 3):
        out += np.bincount((k + s) % 5, minlength=5)
    return out
