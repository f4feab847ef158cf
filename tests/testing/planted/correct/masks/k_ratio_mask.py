"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.ratio_mask", triangle=lambda r: 1.0 + 1e-6)
def s(a, b):
    """Euclid of signed logs."""
    la, lb = np.sign(a) * np.log1p(np.abs(a)), np.sign(b) * np.log1p(np.abs(b))
    return float(np.sqrt(np.square(la - lb).sum()))


@dp.mask("eighth.ratio_mask_mask", semimetric="eighth.ratio_mask", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6) + 1e-9)))
def f(value, noise, normals):
    """Noise on signed logs."""
    at = dp.lattice_gaussian(np.sign(value) * np.log1p(np.abs(value)), noise, normals)
    return np.sign(at) * np.expm1(np.minimum(np.abs(at), 700.0))
