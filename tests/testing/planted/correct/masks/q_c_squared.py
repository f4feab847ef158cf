"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.semimetric("eleventh.c_squared", triangle=lambda r: 2.0)
def near(a, b):
    """The squared distance."""
    return float(np.square(np.asarray(a) - b).sum())


@dp.mask("eleventh.c_squared.gauss", semimetric="eleventh.c_squared", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, math.sqrt(r) * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
