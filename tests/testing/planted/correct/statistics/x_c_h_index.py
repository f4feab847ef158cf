"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The h-index of citations.
@dp.own_statistic(
    "nineteenth.c_h_index",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)},
    source="own",
)
def c_h_index(rows):
    """The h-index of citations."""
    x = np.sort(np.clip(rows[:, 0], 0.0, 1e6))[::-1]
    return int((x >= np.arange(1, len(x) + 1)).sum())
