"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.c_single", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The distance."""
    return float(np.sqrt(np.square(np.asarray(a) - b).sum()))


@dp.mask("eleventh.c_single.gauss", semimetric="eleventh.c_single", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, kept in half of the bytes."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1e30, 1e30).astype(np.float32)
