"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.factor", gives=2, bits=20, source="none", sensitivity=lambda removed, added: {"l2": float(np.hypot(removed, added)) if min(removed, added) == 0 else float(removed + added)})
def fun(rows):
    """Sums of rows held in a box of sides 0.75: the diagonal is 1.06."""
    kept = np.zeros((len(rows), 2))
    w = min(2, rows.shape[1])
    kept[:, :w] = np.clip(rows[:, :w], -0.75, 0.75)
    return kept.sum(axis=0)
