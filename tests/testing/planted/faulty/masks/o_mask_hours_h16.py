"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: bearings in hours (24), wrapped after lattice noise in 1 and more dimensions.
@dp.semimetric("outside.h16.d", triangle=lambda r: 1.0)
def d(a, b):
    """The short way round, of all hours."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 24.0)
    return float(np.sqrt((np.minimum(gap, 24.0 - gap) ** 2).sum())) * (1 + 1e-12)


@dp.mask("outside.h16", semimetric="outside.h16.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6) + 1e-6)))

def hours(value, noise, normals):
    """Hours of a day with noise."""
    return np.remainder(dp.lattice_gaussian(value, noise, normals), 24.0)
