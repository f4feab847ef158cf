"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a ratio is said to be rho.
@dp.semimetric("thirteenth.ratio_as_rho.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.ratio_as_rho", semimetric="thirteenth.ratio_as_rho.space", cost=lambda noise, r: dp.lattice_gaussian_mu(noise, r * (1 + 1e-12)))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
