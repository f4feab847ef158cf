"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A Gaussian as a sum of three, in floats.
@dp.mask("listed.sum_of_three", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """The sum of three."""
    d = len(value)
    return value + noise * (normals(d) + normals(d) + normals(d)) / np.sqrt(3.0)
