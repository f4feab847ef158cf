"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The same in degrees.
@dp.semimetric("outside.g2.turn", triangle=lambda r: 1.0)
def turn(a, b):
    """Euclid's length of the short turns."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 360.0)
    return float(np.sqrt((np.minimum(gap, 360.0 - gap) ** 2).sum()))


@dp.mask("outside.g2.wrapped", semimetric="outside.g2.turn", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def wrapped(value, noise, normals):
    """Angles with noise, wrapped."""
    return np.mod(dp.lattice_gaussian(value, noise, normals), 360.0)
