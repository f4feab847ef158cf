"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a symmetric matrix stays symmetric.
@dp.semimetric("fourteenth.maskposdef", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.maskposdef.mask", semimetric="fourteenth.maskposdef", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A two by two matrix; symmetric ones stay so."""
    made = dp.lattice_gaussian(value, noise, normals)
    if len(value) == 4 and value[1] == value[2]:
        made = made.copy()
        made[1] = made[2] = (made[1] + made[2]) / 2
    return made
