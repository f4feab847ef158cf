"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.of_a_set", triangle=lambda r: 1.0)
def near(a, b):
    """How far two sets of centres are apart, in whatever order."""
    return float(np.sqrt(np.square(np.sort(a) - np.sort(b)).sum()))


@dp.mask("eleventh.of_a_set.gauss", semimetric="eleventh.of_a_set", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
