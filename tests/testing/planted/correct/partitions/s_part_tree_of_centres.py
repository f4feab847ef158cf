"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The nearest of some public centres, by a tree; needs three columns.
import functools
from scipy.spatial import cKDTree


@functools.lru_cache(maxsize=8)
def tree():
    return cKDTree(np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [-4.0, 5.0, 1.0]]))


@dp.own_partition("rounds.nearest", parts=3)
def nearest(rows):
    """The number of the nearest centre; huge rows are in no part."""
    if rows.shape[1] < 3:
        raise ValueError("needs three columns")
    made = np.full(len(rows), -1)
    fine = np.isfinite(rows[:, :3]).all(axis=1) & (np.abs(rows[:, :3]) < 1e100).all(axis=1)
    if fine.any():
        made[fine] = tree().query(rows[fine, :3])[1]
    return made
