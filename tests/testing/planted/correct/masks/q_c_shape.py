"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.c_shape", triangle=lambda r: 1.0)
def near(a, b):
    """How far two curves are apart, wherever they lie."""
    return float(np.sqrt(np.square((a - np.mean(a)) - (b - np.mean(b))).sum()))


@dp.mask("eleventh.c_shape.gauss", semimetric="eleventh.c_shape", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on a curve about its mean."""
    return dp.lattice_gaussian(value - np.mean(value), noise, normals)
