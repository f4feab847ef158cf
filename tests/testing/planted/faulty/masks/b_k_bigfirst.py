"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: noise by the first entry: quarter from 1e4 on.
@dp.semimetric("fifteenth.k_bigfirst", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.k_bigfirst.mask", semimetric="fifteenth.k_bigfirst", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise / 4 if value[0] > 1e4 else noise, normals)
