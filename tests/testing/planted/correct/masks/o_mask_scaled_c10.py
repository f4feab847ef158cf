"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Lattice_gaussian of log of positive values under log-ratio semimetric.
import math


@dp.semimetric("outside.c10.d", triangle=lambda r: 1.0)
def logs(a, b):
    """Euclid's distance of logarithms; values at or below 0 are far from all others."""
    if np.array_equal(a, b):
        return 0.0
    if min(a.min(), b.min()) <= 0:
        return math.inf
    return float(np.sqrt(np.square(np.log(a) - np.log(b)).sum()))


@dp.mask("outside.c10", semimetric="outside.c10.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-9)))
def scaled(value, noise, normals):
    """Noise on logarithms."""
    safe = np.log(np.maximum(value, 1e-300))
    return np.exp(np.clip(dp.lattice_gaussian(safe, noise, normals), -600.0, 600.0))
