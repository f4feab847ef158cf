"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: noise on logs.
@dp.semimetric("twelfth.c_log_mask.space", triangle=lambda r: 1.0)
def s(a, b):
    """Distance of logs of sizes above 1e-9."""
    x, y = (np.log(np.maximum(np.abs(np.asarray(v, float)), 1e-9)) for v in (a, b))
    return float(np.sqrt(np.square(x - y).sum()))
@dp.mask("twelfth.c_log_mask", semimetric="twelfth.c_log_mask.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-12)))
def fun(value, noise, normals):
    """Lognormal noise."""
    made = dp.lattice_gaussian(np.log(np.maximum(np.abs(np.asarray(value, float)), 1e-9)), noise, normals)
    return np.exp(np.clip(made, -300.0, 300.0))
