"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: equal numbers of a value stay equal.
@dp.semimetric("fourteenth.masktie", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.masktie.mask", semimetric="fourteenth.masktie", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Ties stay ties."""
    made = dp.lattice_gaussian(value, noise, normals)
    _, first, where = np.unique(value, return_index=True, return_inverse=True)
    return made[first][where.ravel()]
