"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.capped_inv", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="here")
def f(rows):
    """Pairs of rows in the wrong order, at most five."""
    v = rows[:, -1] if rows.shape[1] > 1 else -rows[:, 0]
    n = min(len(v), 300)
    bad = (v[:n, None] > v[None, :n])[np.triu_indices(n, 1)].sum()
    return np.array([float(min(bad, 5))])
