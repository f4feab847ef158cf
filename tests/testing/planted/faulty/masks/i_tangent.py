"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("ninth.l2a", triangle=lambda r: 1.0)
def l2a(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("ninth.topk", semimetric="ninth.l2a", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Noise on a lattice, kept where the value is among the larger half."""
    value = np.asarray(value, float)
    made = dp.lattice_gaussian(value, noise, normals)
    return np.where(np.abs(value) >= np.median(np.abs(value)), made, 0.0)
