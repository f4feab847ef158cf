"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.debounced", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The total of last cells in 0 to 1, of events that come at least 1 (first cells) after the last that counted."""
    total, last = 0.0, -np.inf
    for at, amount in zip(rows[:, 0].tolist(), np.clip(rows[:, -1], 0.0, 1.0).tolist(), strict=True):
        if at >= last + 1.0:
            total, last = total + amount, at
    return np.array([total])
