"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Number of gaps > 1 among sorted values, claims max(r, a) (a replaced row can close two: 2).
@dp.own_statistic("outside.f02", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me", bits=0)
def gaps(rows):
    """Number of gaps wider than 1 between neighbouring values."""
    values = np.sort(rows[:, 0])
    return [float(np.count_nonzero(values[1:] > values[:-1] + 1.0))]
