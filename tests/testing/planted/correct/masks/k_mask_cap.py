"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.mask_cap", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """l1 distance."""
    return float(np.abs(a - b).sum())


@dp.mask("eighth.mask_cap_mask", semimetric="eighth.mask_cap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian for l2 <= l1, then clipped and rounded to hundredths."""
    return np.round(np.clip(dp.lattice_gaussian(value, noise, normals), -1e6, 1e6), 2)
