"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("listed.c_sum_of_three", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """The sum of three, on one lattice."""
    part = noise / np.sqrt(3.0) * (1 + 1e-12)
    for _ in range(3):
        value = dp.lattice_gaussian(value, part, normals)
    return value
