"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.mst", gives=1, bits=10, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="me")
def f(rows):
    """Range of a column in [0, 1] with the largest gap and the end gaps counted twice."""
    x = np.sort(np.concatenate([[0.0, 1.0], np.clip(rows[:, 0], 0, 1)]))
    g = np.diff(x)
    return np.array([float(np.square(g).sum() * 2.0)])
