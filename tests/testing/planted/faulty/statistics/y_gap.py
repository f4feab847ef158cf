"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Largest gap of sorted values in [0, 1]: merging two moves it by 1/2 at most, but dropping an end of two rows by
# 1.
@dp.own_statistic("laterf15.gap", gives=1, bits=20, source="two gaps merge",
    sensitivity=lambda removed, added: {"linf": 0.5 * (removed + added)})


def gap(rows):
    """The largest gap."""
    x = np.sort(np.clip(rows[:, 0], 0.0, 1.0))
    return np.array([np.diff(x).max(initial=0.0)])
