"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.blind_columns", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Distance of the first five entries."""
    return float(np.sqrt(np.square(a[:5] - b[:5]).sum()))


@dp.mask("eighth.blind_columns_mask", semimetric="eighth.blind_columns", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
