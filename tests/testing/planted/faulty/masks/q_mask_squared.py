"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.squared", triangle=lambda r: 2.0)
def near(a, b):
    """The squared distance."""
    return float(np.square(np.asarray(a) - b).sum())


@dp.mask("eleventh.squared.gauss", semimetric="eleventh.squared", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
