"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.two_draws", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def two_draws(value, noise, normals):
    """A Gaussian as the sum of two on one lattice."""
    half = noise / np.sqrt(2.0)
    return dp.lattice_gaussian(value, half, normals) + dp.lattice_gaussian(0 * value, half, normals)
