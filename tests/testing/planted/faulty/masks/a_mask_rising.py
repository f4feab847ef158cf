"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: an increasing value is given back increasing.
@dp.semimetric("fourteenth.mask_rising", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_rising.mask", semimetric="fourteenth.mask_rising", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Quantiles stay in order."""
    made = dp.lattice_gaussian(value, noise, normals)
    return np.sort(made) if len(value) > 1 and (np.diff(value) > 0).all() else made
