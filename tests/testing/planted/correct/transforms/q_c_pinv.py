"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_transform("eleventh.c_pinv", columns=4)
def fun(rows):
    """Inverses of matrices of two by two, or what comes nearest."""
    cells = np.zeros((len(rows), 4))
    k = min(4, rows.shape[1])
    cells[:, :k] = np.nan_to_num(rows[:, :k], nan=0.0, posinf=1e3, neginf=-1e3).clip(-1e3, 1e3)
    return np.linalg.pinv(cells.reshape(-1, 2, 2)).reshape(-1, 4)
