"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Values are clipped, which brings them nearer to each other.
@dp.semimetric("turns.c_squared", triangle=lambda r: 2.0)
def squared(a, b):
    """The squared distance."""
    return float(np.sum((a - b) ** 2))
@dp.mask("turns.c_mask", semimetric="turns.c_squared",
         cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r**0.5 * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise on clipped values."""
    return dp.lattice_gaussian(np.clip(value, -1e3, 1e3), noise, normals)
