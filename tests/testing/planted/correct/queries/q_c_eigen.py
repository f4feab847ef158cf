"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eleventh.c_eigen", gives=3, bits=20, source="Hoffman and Wielandt 1953; what is off the diagonal counts twice", sensitivity=lambda a: {"l2": 1.4142135624 * a["l2"] * (1 + 1e-9)})
def fun(cells):
    """Eigenvalues of a symmetric matrix of three by three, from its upper half."""
    half = np.zeros(6)
    k = min(6, len(cells))
    half[:k] = np.asarray(cells, dtype=float)[:k]
    matrix = np.zeros((3, 3))
    matrix[np.triu_indices(3)] = half
    return np.linalg.eigvalsh(matrix + matrix.T - np.diag(np.diag(matrix)))
