"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.c_root_claim", gives=dp.Counts(3), source="all in one count, or all out of another", sensitivity=lambda removed, added: {"l2": float(np.hypot(removed, added)) * (1 + 1e-12)})
def fun(rows):
    """Rows by the sign of their first cell."""
    return np.array([np.count_nonzero(np.sign(rows[:, 0]) == s) for s in (-1, 0, 1)])
