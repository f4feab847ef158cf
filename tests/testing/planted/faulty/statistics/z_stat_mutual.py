"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("t.mutual", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="own")
def mutual(rows):
    """Pairs of rows that are each other's nearest."""
    x = np.clip(np.nan_to_num(np.asarray(rows, dtype=float)), -1e6, 1e6)
    if len(x) < 2:
        return 0.0
    d = ((x[:, None] - x) ** 2).sum(axis=2)
    np.fill_diagonal(d, np.inf)
    near = d.argmin(axis=1)
    return float((near[near] == np.arange(len(x))).sum() // 2)
