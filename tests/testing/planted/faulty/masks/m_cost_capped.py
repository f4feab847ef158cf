"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: the cost stops growing with r at 1.
@dp.semimetric("twelfth.cost_capped.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.cost_capped", semimetric="twelfth.cost_capped.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, min(r, 16.0) * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
