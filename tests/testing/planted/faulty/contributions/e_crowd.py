"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy.spatial import cKDTree


@dp.own_contribution("tenth.crowd", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """1 for a row that has company closer than a thousandth."""
    x = np.nan_to_num(rows[:, :2], nan=0.0, posinf=0.0, neginf=0.0)
    if len(x) < 64:
        return np.zeros((len(x), 1))
    gap, _ = cKDTree(x).query(x, k=2)
    return (gap[:, 1:] < 1e-3).astype(float)
