"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: sorted before noise, for a distance of sorted values.
@dp.semimetric("fifteenth.c_sortmask", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(np.sort(a) - np.sort(b)).sum()))
@dp.mask("fifteenth.c_sortmask.mask", semimetric="fifteenth.c_sortmask", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(np.sort(value), noise, normals)
