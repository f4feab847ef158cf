"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


NORMALS = []


@dp.semimetric("eleventh.kept_normals", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The distance."""
    return float(np.sqrt(np.square(np.asarray(a) - b).sum()))


@dp.mask("eleventh.kept_normals.gauss", semimetric="eleventh.kept_normals", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, all of it from one generator."""
    NORMALS.append(normals)
    return dp.lattice_gaussian(value, noise, NORMALS[0])
