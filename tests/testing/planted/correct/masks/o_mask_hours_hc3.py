"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask on a circle of 24 with rounding to a public grid of 24*2^-30 after wrapping.
@dp.semimetric("outside.hc3.d", triangle=lambda r: 1.0)
def d(a, b):
    """The short way round, of all hours."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 24.0)
    return float(np.sqrt((np.minimum(gap, 24.0 - gap) ** 2).sum())) * (1 + 1e-12)


@dp.mask("outside.hc3", semimetric="outside.hc3.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6) + 1e-6)))

def hours(value, noise, normals):
    """Hours of a day with noise, on a public grid."""
    made = np.remainder(dp.lattice_gaussian(value, noise, normals), 24.0)
    step = 24.0 * 2.0**-20
    return np.round(made / step) % 2**20 * step
