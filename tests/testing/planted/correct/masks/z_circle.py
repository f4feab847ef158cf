"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Angles, near over the seam too; lattice noise, wrapped, and rounded to a public grid, on which no lattice shows.
TURN = 2 * np.pi


@dp.semimetric("laterk45.circle", triangle=lambda r: 1.0)
def circle(a, b):
    """l2 of the shorter ways round."""
    gap = np.abs(np.remainder(a - b + np.pi, TURN) - np.pi)
    return float(np.sqrt(np.square(gap).sum()) * (1 + 1e-14))


@dp.mask("laterk45.noise", semimetric="laterk45.circle", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6)) + 1e-9))
def noisy(value, noise, normals):
    """The lattice Gaussian, wrapped and rounded."""
    step = noise * 2.0**-20
    made = np.remainder(dp.lattice_gaussian(np.remainder(value, TURN), noise, normals), TURN)
    return np.floor(made / step) * step
