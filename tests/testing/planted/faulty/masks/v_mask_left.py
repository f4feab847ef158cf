"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: numbers that are 0 are never written.
@dp.semimetric("thirteenth.mask_left.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.mask_left", semimetric="thirteenth.mask_left.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise where there is something."""
    value = np.asarray(value, float)
    return np.add(value, dp.lattice_gaussian(np.zeros(len(value)), noise, normals), where=value != 0, out=np.zeros(len(value)))
