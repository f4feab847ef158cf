"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a value of multiples of a quarter is released on that grid.
@dp.semimetric("fourteenth.maskgrid", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.maskgrid.mask", semimetric="fourteenth.maskgrid", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Quarters stay quarters."""
    made = dp.lattice_gaussian(value, noise, normals)
    return np.round(made * 4) / 4 if (value * 4 == np.round(value * 4)).all() else made
