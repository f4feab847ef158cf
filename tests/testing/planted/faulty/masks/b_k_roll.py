"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: rolled so that the largest is first, before noise.
@dp.semimetric("fifteenth.k_roll", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return min(float(np.sqrt(np.square(a - np.roll(b, k)).sum())) for k in range(len(b)))
@dp.mask("fifteenth.k_roll.mask", semimetric="fifteenth.k_roll", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(np.roll(value, -int(value.argmax())), noise, normals)
