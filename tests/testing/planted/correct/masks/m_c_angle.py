"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric and mask: angles with a mask that wraps.
@dp.semimetric("twelfth.c_angle.space", triangle=lambda r: 1.0)
def s(a, b):
    """Angles modulo a turn."""
    gap = np.abs(np.mod(np.asarray(a, float), 1.0) - np.mod(np.asarray(b, float), 1.0))
    return float(np.sqrt(np.square(np.minimum(gap, 1.0 - gap)).sum()))
@dp.mask("twelfth.c_angle", semimetric="twelfth.c_angle.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-9)))
def fun(value, noise, normals):
    """Gaussian noise on turns, wrapped to [0, 1)."""
    lattice = dp.lattice_gaussian(np.mod(np.asarray(value, float), 1.0), noise, normals)
    return np.mod(np.round(np.mod(lattice, 1.0) * 2**20) / 2**20, 1.0)
