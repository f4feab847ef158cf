"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution of 2 released inputs with integer columns, bit counts.
import math


@dp.own_contribution("outside.c16", gives=lambda levels: dp.Counts(len(levels)), norm="l1", bound=1.0, nonnegative=True, bits=0, examples={"levels": [1.0, 4.0, 9.0]})
def bits_set(rows, centre, *, levels):
    """One of some levels by bits set in a whole number, nearest to those of a released one."""
    def ones(v):
        return bin(int(min(max(v, 0.0), 2.0**40))).count("1")
    base = ones(float(centre[0]) if math.isfinite(centre[0]) else 0.0)
    made = np.zeros((len(rows), len(levels)), dtype=np.int64)
    for at, v in enumerate(rows[:, 0].tolist()):
        gap = abs(ones(v) - base)
        made[at, min(range(len(levels)), key=lambda j: abs(levels[j] - gap))] = 1
    return made
