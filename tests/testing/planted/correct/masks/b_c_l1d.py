"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: l2 noise for an l1 distance.
@dp.semimetric("fifteenth.c_l1d", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.abs(a - b).sum())
@dp.mask("fifteenth.c_l1d.mask", semimetric="fifteenth.c_l1d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, normals)
