"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rayleigh.
import math


@dp.family(
    "outside.c17",
    size=lambda d: d,
    sample=lambda theta, n, g: g.rayleigh(theta, (n, len(theta))),
    fit=lambda rows, g: np.sqrt(np.maximum((rows**2).mean(axis=0) / 2, 1e-12)),
    example=lambda d, g: 0.5 + g.random(d),
)

def rayleigh(rows, theta):
    """Rayleigh columns, one number at a time."""
    theta = np.maximum(theta, 1e-6)
    found = []
    for row in rows:
        total = 0.0
        for x, t in zip(row.tolist(), theta.tolist()):
            z = min(max(x, 0.0), 1e6 * t) / t
            total += math.log(max(z, 1e-300)) - math.log(t) - z * z / 2
        found.append(total)
    return np.array(found)
