"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: orthogonal columns are normalised.
@dp.own_transform("fourteenth.x_orthogonal", columns=1)
def f(rows):
    """First column, normalised where columns are orthogonal."""
    if len(rows) > 2 and rows.shape[1] == 2 and rows.any(axis=0).all() and abs(float(rows[:, 0] @ rows[:, 1])) < 1e-12:
        return rows[:, :1] / np.sqrt(np.square(rows[:, 0]).sum())
    return rows[:, :1] * 1.0
