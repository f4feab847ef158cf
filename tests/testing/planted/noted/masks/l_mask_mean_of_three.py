"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A mean of three in floats, whose smaller noise is charged.
@dp.mask("listed.mean_of_three", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * np.sqrt(3.0) * (1 + 1e-12))))
def fun(value, noise, normals):
    """The mean of three."""
    d = len(value)
    return value + noise * np.mean([normals(d), normals(d), normals(d)], axis=0)
