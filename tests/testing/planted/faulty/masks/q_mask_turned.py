"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.turned", triangle=lambda r: 1.0)
def near(a, b):
    """How far two principal axes are apart: which way they point is nothing."""
    a, b = np.asarray(a), np.asarray(b)
    return float(min(np.sqrt(np.square(a - b).sum()), np.sqrt(np.square(a + b).sum())))


@dp.mask("eleventh.turned.gauss", semimetric="eleventh.turned", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on the axis, turned so that its first number is positive."""
    value = np.asarray(value)
    return dp.lattice_gaussian(-value if value[0] < 0 else value, noise, normals)
