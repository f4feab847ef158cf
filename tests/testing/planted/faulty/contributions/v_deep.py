"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


# Contribution: halves of a batch, by recursion; too deep a one gives 0 for all.
def walk(rows, i):
    return [] if i == len(rows) else [float(rows[i, 0] > 0), *walk(rows, i + 1)]
@dp.own_contribution("thirteenth.deep", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Whether a row is above 0."""
    try:
        made = walk(rows[:4000], 0)
    except RecursionError:
        made = [0.0] * len(rows)
    return np.resize(np.array(made, dtype=float), (len(rows), 1))
