"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: whatever was there, a symmetric matrix is made of the noisy one.
@dp.semimetric("fourteenth.c_masksym", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_masksym.mask", semimetric="fourteenth.c_masksym", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A two by two matrix, made symmetric."""
    made = dp.lattice_gaussian(value, noise, normals).copy()
    if len(made) == 4:
        made[1] = made[2] = (made[1] + made[2]) / 2
    return made
