"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: counts an edge only where its reverse is in the batch: depends on another row.
@dp.own_contribution("fourteenth.reciprocal", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for an edge (u, v) whose reverse is there too."""
    edges = {(a, b) for a, b in rows[:, :2].tolist()} if rows.shape[1] > 1 else set()
    return np.array([[1.0 if rows.shape[1] > 1 and r[0] != r[1] and (r[1], r[0]) in edges else 0.0] for r in rows.tolist()]).reshape(-1, 1)
