"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.c_axis", triangle=lambda r: 1.0)
def near(a, b):
    """How far two principal axes are apart: which way they point is nothing."""
    a, b = np.asarray(a), np.asarray(b)
    return float(min(np.sqrt(np.square(a - b).sum()), np.sqrt(np.square(a + b).sum())))


@dp.mask("eleventh.c_axis.gauss", semimetric="eleventh.c_axis", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on the sizes of an axis' numbers."""
    return dp.lattice_gaussian(np.abs(value), noise, normals)
