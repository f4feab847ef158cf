"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("eleventh.c_eigvals", columns=lambda d: 2)
def fun(rows):
    """The rates of a system of two, four cells a row: roots of the eigenvalues."""
    cells = np.zeros((len(rows), 4))
    k = min(4, rows.shape[1])
    cells[:, :k] = np.nan_to_num(rows[:, :k], nan=0.0, posinf=1e6, neginf=-1e6).clip(-1e6, 1e6)
    rates = np.sqrt(np.linalg.eigvals(cells.reshape(-1, 2, 2)).astype(complex))
    return np.abs(rates)
