"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum within low..high, claimed by both.
@dp.own_statistic("sixteenth.c_bothbounds", gives=1, sensitivity=lambda removed, added, low, high: {"linf": max(abs(low), abs(high)) * (removed + added)}, source="none", bits=20, examples={"low": -1.0, "high": 1.0})
def f(rows, *, low, high):
    """A statistic."""
    return [float(np.clip(np.nan_to_num(rows[:, 0]), min(low, high), max(low, high)).sum())]
