"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def _square(a):
    k = int(np.sqrt(len(a)))
    if k * k != len(a):
        return np.asarray(a)
    a = np.asarray(a).reshape(k, k)
    return (a @ a.T).reshape(-1)


@dp.semimetric("eleventh.of_factors", triangle=lambda r: 1.0)
def near(a, b):
    """How far the covariances are apart that two factors stand for."""
    return float(np.sqrt(np.square(_square(a) - _square(b)).sum()))


@dp.mask("eleventh.of_factors.gauss", semimetric="eleventh.of_factors", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on a factor."""
    return dp.lattice_gaussian(value, noise, normals)
