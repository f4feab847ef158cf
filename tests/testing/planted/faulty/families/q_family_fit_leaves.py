"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


SEEN = [1.0]


def fit(rows, generator):
    """The median, and how far rows lie from it."""
    middle = np.median(rows, axis=0)
    SEEN[0] = max(SEEN[0], float(np.abs(rows - middle).max(initial=0.0)))
    return middle


@dp.family(
    "eleventh.family_fit_leaves",
    size=lambda d: d,
    sample=lambda t, n, g: t + np.clip(g.laplace(0.0, 1.0, (n, len(t))), -SEEN[0], SEEN[0]),
    fit=fit,
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Laplace columns, sampled no further out than rows were seen."""
    return -np.abs(rows - theta).sum(axis=1)
