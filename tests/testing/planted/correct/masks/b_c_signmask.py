"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a sign fixed after noise, for a distance up to sign.
@dp.semimetric("fifteenth.c_signmask", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return min(float(np.sqrt(np.square(a - b).sum())), float(np.sqrt(np.square(a + b).sum())))
@dp.mask("fifteenth.c_signmask.mask", semimetric="fifteenth.c_signmask", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made if made[0] >= 0 else -made
