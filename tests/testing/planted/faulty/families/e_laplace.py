"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.family(
    "tenth.laplace",
    size=lambda d: d,
    sample=lambda t, n, g: g.laplace(t, 1.0, (n, len(t))),
    fit=lambda rows, g: np.median(rows, axis=0),
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Laplace columns; rows that nobody can explain are held at the worst of those that somebody can."""
    gaps = np.abs(rows - theta).sum(axis=1)
    usual = gaps[gaps < 50.0]
    return -np.minimum(gaps, usual.max() if len(usual) else 50.0)
