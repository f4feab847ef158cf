"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Angles with lattice noise, wrapped after it, near over the seam of 2 pi.
@dp.semimetric("outside.g1.turn", triangle=lambda r: 1.0)
def turn(a, b):
    """Euclid's length of the short turns."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 2 * np.pi)
    return float(np.sqrt((np.minimum(gap, 2 * np.pi - gap) ** 2).sum()))


@dp.mask("outside.g1.wrapped", semimetric="outside.g1.turn", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def wrapped(value, noise, normals):
    """Angles with noise, wrapped."""
    return np.mod(dp.lattice_gaussian(value, noise, normals), 2 * np.pi)
