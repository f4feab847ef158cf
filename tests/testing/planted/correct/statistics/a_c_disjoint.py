"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: most disjoint intervals: moves by one a row.
import math
@dp.own_statistic("fourteenth.c_disjoint", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Most bookings that a room can take, by end."""
    if rows.shape[1] < 2:
        return [float(len(rows))]
    count, end = 0, -math.inf
    for hi, lo in sorted((max(r[0], r[1]), min(r[0], r[1])) for r in rows.tolist()):
        if lo > end:
            count, end = count + 1, hi
    return [float(count)]
