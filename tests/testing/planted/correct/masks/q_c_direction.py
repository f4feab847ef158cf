"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def _unit(a):
    length = float(np.abs(a).max(initial=0.0))
    if length == 0.0:
        return np.asarray(a) + 0.0
    a = np.asarray(a) / length
    return a / np.sqrt(np.square(a).sum())


@dp.semimetric("eleventh.c_direction", triangle=lambda r: 1.0)
def near(a, b):
    """How far two directions are apart."""
    return float(np.sqrt(np.square(_unit(a) - _unit(b)).sum()))


@dp.mask("eleventh.c_direction.gauss", semimetric="eleventh.c_direction", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-12)))
def fun(value, noise, normals):
    """Gaussian noise on the direction, and what comes out with length one."""
    return _unit(dp.lattice_gaussian(_unit(value), noise, normals))
