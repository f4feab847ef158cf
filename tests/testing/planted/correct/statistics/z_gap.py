"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The largest gap with both ends of [0, 1] counted in: two gaps merge, so it moves by at most 1/2 an edit.
@dp.own_statistic("laterc15.gap", gives=1, bits=20, source="max(a, b) >= (a + b)/2", sensitivity=lambda removed, added: {"linf": 0.5 * (removed + added)})
def gap(rows):
    """The largest gap."""
    x = np.sort(np.clip(rows[:, 0], 0.0, 1.0))
    return np.array([np.diff(np.concatenate([[0.0], x, [1.0]])).max()])
