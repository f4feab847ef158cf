"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: a row alone: its own two columns are compared.
@dp.own_contribution("fourteenth.c_reciprocal", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for an edge that goes up."""
    return (rows[:, :1] < rows[:, -1:]).astype(float)
