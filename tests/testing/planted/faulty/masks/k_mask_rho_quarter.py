"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.mask_rho_quarter", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_rho_quarter_mask", semimetric="eighth.mask_rho_quarter", cost=lambda noise, r: (r / noise) ** 2 / 4)
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
