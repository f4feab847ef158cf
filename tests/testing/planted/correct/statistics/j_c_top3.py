"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.c_top3", gives=3, sensitivity=lambda removed, added: {"l1": 10.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """The three largest."""
    v = np.sort(np.append(np.clip(rows[:, 0], 0, 10), np.zeros(3)))
    return v[-3:]
