"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: clipped after noise.
@dp.semimetric("sixteenth.c_k_clipped", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.c_k_clipped.mask", semimetric="sixteenth.c_k_clipped", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -100.0, 100.0)
