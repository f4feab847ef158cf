"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def fit(rows, generator):
    """The median."""
    return np.median(rows, axis=0)


@dp.family(
    "eleventh.c_family",
    size=lambda d: d,
    sample=lambda t, n, g: t + np.clip(g.laplace(0.0, 1.0, (n, len(t))), -30.0, 30.0),
    fit=fit,
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Laplace columns."""
    return -np.abs(rows - theta).sum(axis=1)
