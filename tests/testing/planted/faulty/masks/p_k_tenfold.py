"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a value's digits kept: tens without noise.
@dp.semimetric("sixteenth.k_tenfold", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.k_tenfold.mask", semimetric="sixteenth.k_tenfold", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    tens = 10 * np.floor(value / 10)
    return tens + dp.lattice_gaussian(value - tens, noise, normals)
