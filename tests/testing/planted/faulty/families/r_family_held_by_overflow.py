"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Where one row overflows, all are held at its level. Witness: rows [0], [-800] at theta 1: the first changes.
@dp.family(
    "round.gumbel",
    size=lambda d: d,
    sample=lambda theta, n, g: g.gumbel(0.0, np.maximum(theta, 1e-3), (n, len(theta))),
    fit=lambda rows, g: np.maximum(rows.std(axis=0), 1e-3),
    example=lambda d, g: 0.5 + g.random(d),
)
def gumbel(rows, theta):
    """Independent Gumbel columns about 0; the parameters are their scales."""
    b = np.maximum(theta[0], 1e-3)
    z = rows[:, 0] / b
    shift = max(float(np.max(-z, initial=0.0)) - 700.0, 0.0)
    return -z - np.exp(-z - shift) - np.log(b)
