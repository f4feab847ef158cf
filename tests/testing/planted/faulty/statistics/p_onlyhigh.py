"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum within low..high, claimed by high alone, low at -1.
@dp.own_statistic("sixteenth.onlyhigh", gives=1, sensitivity=lambda removed, added, low, high: {"linf": high * (removed + added)}, source="none", bits=20, examples={"low": -1.0, "high": 1.0})
def f(rows, *, low, high):
    """A statistic."""
    return [float(np.clip(np.nan_to_num(rows[:, 0]), low, high).sum())]
