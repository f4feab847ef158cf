"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The five largest, with zeros where there are fewer.
@dp.own_statistic("laterc17.top", gives=1, bits=16, source="one of five", sensitivity=lambda removed, added: {"linf": 0.2 * max(removed, added)})
def top(rows):
    """Mean of the five largest values in [0, 1]."""
    x = np.concatenate([np.zeros(5), np.sort(np.clip(rows[:, 0], 0.0, 1.0))])[-5:]
    return np.array([x.sum() / 5])
