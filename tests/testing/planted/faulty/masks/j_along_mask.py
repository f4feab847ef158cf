"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Length of the difference."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("seventh.along_mask", semimetric="seventh.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r) + 1e-6))
def f(value, noise, normals):
    """More noise along the value than across."""
    z = dp.lattice_gaussian(np.zeros_like(value), noise, normals)
    u = value / max(np.sqrt(np.square(value).sum()), 1e-300)
    out = value + z + 2 * u * (u * z).sum()
    step = noise * 2.0**-20
    return np.round(out / step) * step
