"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.groups_of_two", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """How many values are there more than once."""
    _, c = np.unique(np.rint(np.clip(rows[:, 0], -1000, 1000)), return_counts=True)
    return np.array([float((c > 1).sum())])
