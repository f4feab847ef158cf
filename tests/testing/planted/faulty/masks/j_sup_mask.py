"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.sup", triangle=lambda r: 1.0)
def sup(a, b):
    """The largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("seventh.sup_mask", semimetric="seventh.sup", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def f(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
