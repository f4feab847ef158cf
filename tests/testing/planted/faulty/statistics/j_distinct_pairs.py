"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.distinct_pairs", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """How many different steps there are between one value and the next."""
    v = np.unique(np.round(np.clip(rows[:, 0], -1e6, 1e6)))
    return np.array([float(len(np.unique(np.diff(v))))])
