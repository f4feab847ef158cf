"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Values within r in each coordinate, Gaussian charged as if r were their l2 distance; d >= 2.
@dp.semimetric("laterf35.box", triangle=lambda r: 1.0)
def box(a, b):
    """Largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("laterf35.noise", semimetric="laterf35.box", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """The lattice Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
