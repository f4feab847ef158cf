"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Features, or the Laplacian of a graph, whose degrees are scaled.
@dp.row_function("nineteenth.r_laplacian", columns=lambda d: d)
def r_laplacian(rows):
    """Features, or the Laplacian of a graph, whose degrees are scaled."""
    n, d = rows.shape
    if n == d and n > 2 and (np.diag(rows) > 0).all() and (rows == rows.T).all():
        if not rows.sum(axis=1).any():
            root = np.sqrt(np.diag(rows))
            return rows / root / root[:, None]
    return rows.copy()
