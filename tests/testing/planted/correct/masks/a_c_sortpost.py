"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: noisy entries, sorted: order is forgotten.
@dp.semimetric("fourteenth.c_sortpost", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_sortpost.mask", semimetric="fourteenth.c_sortpost", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Sorted."""
    return np.sort(dp.lattice_gaussian(value, noise, normals))
