"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.of_a_shape", triangle=lambda r: 1.0)
def near(a, b):
    """How far two curves are apart, wherever they lie."""
    gap = np.asarray(a) - b
    return float(np.sqrt(np.square(gap - gap.mean()).sum()))


@dp.mask("eleventh.of_a_shape.gauss", semimetric="eleventh.of_a_shape", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
