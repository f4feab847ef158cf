"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: two lattice draws with dyadic parts added.
import math


@dp.semimetric("outside.hc5.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclid."""
    return float(np.sqrt(((a - b) ** 2).sum()))


@dp.mask("outside.hc5", semimetric="outside.hc5.d", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2 * (1 + 1e-9))
def two(value, noise, normals):
    """Two lattice draws of half the variance."""
    half = noise / math.sqrt(2)
    return dp.lattice_gaussian(value, half, normals) + dp.lattice_gaussian(0 * value, half, normals)
