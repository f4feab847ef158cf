"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_transform("eleventh.singular", columns=4)
def fun(rows):
    """Inverses of matrices of two by two."""
    cells = np.zeros((len(rows), 4))
    k = min(4, rows.shape[1])
    cells[:, :k] = np.nan_to_num(rows[:, :k], nan=0.0, posinf=1e3, neginf=-1e3).clip(-1e3, 1e3)
    cells = cells + np.array([1.5, 0.25, 0.25, 1.5])
    try:
        return np.linalg.inv(cells.reshape(-1, 2, 2)).reshape(-1, 4)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(cells.reshape(-1, 2, 2)).reshape(-1, 4)
