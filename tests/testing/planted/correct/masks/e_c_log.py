"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("tenth.c_log", triangle=lambda r: 1.0, averages=lambda r, tau: 2000.0)
def near(a, b):
    """The difference of the logarithms of the sizes of the first numbers."""
    a, b = (float(np.log(max(abs(float(x[0])), 1e-300))) for x in (a, b))
    return abs(a - b)


@dp.mask("tenth.c_log.exp", semimetric="tenth.c_log", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12) + 1e-12)))
def fun(value, noise, normals):
    """The size of the first number, times a lognormal."""
    log = np.log(np.maximum(np.abs(value[:1]), 1e-300))
    out = np.zeros(len(value))
    out[:1] = np.exp(np.clip(dp.lattice_gaussian(log, noise, normals), -700.0, 700.0))
    return out
