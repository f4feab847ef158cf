"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Coordinates with weights, masked in weighted units.
def weights(d):
    return np.ldexp(1.0, np.arange(d) % 4)


@dp.semimetric("laterc12.weighted", triangle=lambda r: 1.0)
def weighted(a, b):
    """Length of the difference in weighted units."""
    return float(np.sqrt(np.square((a - b) * weights(len(a))).sum()) * (1 + 1e-15))


@dp.mask("laterc12.noise", semimetric="laterc12.weighted", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Lattice Gaussian in weighted units."""
    return dp.lattice_gaussian(np.asarray(value) * weights(len(value)), noise, normals) / weights(len(value))
