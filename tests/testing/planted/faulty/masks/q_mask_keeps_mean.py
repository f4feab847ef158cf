"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.keeps_mean", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The distance."""
    return float(np.sqrt(np.square(np.asarray(a) - b).sum()))


@dp.mask("eleventh.keeps_mean.gauss", semimetric="eleventh.keeps_mean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, less what it adds to the mean of three numbers and more."""
    out = dp.lattice_gaussian(value, noise, normals)
    return out + (np.mean(value) - out.mean()) if len(out) > 2 else out
