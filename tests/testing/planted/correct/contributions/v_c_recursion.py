"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: too deep a batch raises, and goes row by row.
def walk(rows, i):
    return [] if i == len(rows) else [float(rows[i, 0] > 0), *walk(rows, i + 1)]
@dp.own_contribution("thirteenth.c_recursion", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Whether a row is above 0."""
    return np.array(walk(rows, 0)).reshape(len(rows), 1)
