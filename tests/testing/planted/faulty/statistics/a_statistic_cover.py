"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: length covered by intervals, claimed 1: lengths are not bounded.
import math
@dp.own_statistic("fourteenth.statistic_cover", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none", bits=10)
def f(rows):
    """Time covered by visits."""
    if rows.shape[1] < 2:
        return [0.0]
    total, end = 0.0, -math.inf
    for r in sorted(np.clip(np.nan_to_num(rows), -1e5, 1e5).tolist()):
        lo, hi = r[0], max(r[0], r[1])
        total += max(0.0, hi - max(lo, end))
        end = max(end, hi)
    return [total]
