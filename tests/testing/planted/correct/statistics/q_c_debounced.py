"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.c_debounced", gives=dp.Counts(1), source="the most events that are 1 apart", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """Events that come at least 1 (first cells) after the last that counted."""
    count, last = 0, -np.inf
    for at in rows[:, 0].tolist():
        if at - last >= 1.0 or count == 0:
            count, last = count + 1, at
    return np.array([count])
