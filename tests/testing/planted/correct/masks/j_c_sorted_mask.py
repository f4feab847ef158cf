"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.semimetric("seventh.l2s", triangle=lambda r: 1.0)
def l2(a, b):
    """Length of the difference."""
    return math.dist(a.tolist(), b.tolist())


@dp.mask("seventh.c_sorted_mask", semimetric="seventh.l2s", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def f(value, noise, normals):
    """Gaussian noise, then in order."""
    return np.sort(dp.lattice_gaussian(value, noise, normals))
