"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


SEEN = [1.0]


@dp.family(
    "eleventh.family_density_leaves",
    size=lambda d: d,
    sample=lambda t, n, g: t + SEEN[0] * g.standard_normal((n, len(t))),
    fit=lambda rows, g: rows.mean(axis=0),
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Gaussian columns; what is sampled is as wide as rows were seen to be."""
    SEEN[0] = max(SEEN[0], float(np.abs(rows - theta).max(initial=0.0)))
    return -0.5 * np.square(rows - theta).sum(axis=1)
