"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.mask_12", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_12_mask", semimetric="eighth.mask_12", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, 0.88 * noise, normals)
