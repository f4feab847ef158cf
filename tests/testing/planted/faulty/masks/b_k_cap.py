"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a capped distance.
@dp.semimetric("fifteenth.k_cap", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return min(float(np.sqrt(np.square(a - b).sum())), 5.0)
@dp.mask("fifteenth.k_cap.mask", semimetric="fifteenth.k_cap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, normals)
