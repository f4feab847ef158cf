"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: number of merged intervals, claimed 1: a long interval joins many.
import math
@dp.own_statistic("fourteenth.statistic_merged", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Number of stays after overlapping ones are merged."""
    if rows.shape[1] < 2:
        return [float(len(rows))]
    spans = sorted((min(r[0], r[1]), max(r[0], r[1])) for r in rows.tolist())
    count, end = 0, -math.inf
    for lo, hi in spans:
        if lo > end:
            count += 1
        end = max(end, hi)
    return [float(count)]
