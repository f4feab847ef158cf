"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.semimetric("seventh.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Length of the difference."""
    return math.dist(a.tolist(), b.tolist())


@dp.mask("seventh.halved_perm_mask", semimetric="seventh.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def f(value, noise, normals):
    """Less noise, as the order of numbers is secret."""
    out = dp.lattice_gaussian(value, noise / 2 if len(value) > 1 else noise, normals)
    return out[np.argsort(normals(len(value)))]
