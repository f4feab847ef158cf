"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mask: costs r/noise in a distance of the largest coordinate.
@dp.semimetric("twelfth.linf_mask.space", triangle=lambda r: 1.0)
def s(a, b):
    """The largest coordinate's distance."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())
@dp.mask("twelfth.linf_mask", semimetric="twelfth.linf_mask.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * math.sqrt(3) * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise on up to three coordinates, or so the author thought."""
    return dp.lattice_gaussian(value, noise, normals)
