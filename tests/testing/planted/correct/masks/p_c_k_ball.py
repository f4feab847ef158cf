"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: values drawn back to the unit ball before noise.
@dp.semimetric("sixteenth.c_k_ball", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.c_k_ball.mask", semimetric="sixteenth.c_k_ball", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value / max(1.0, float(np.sqrt(np.square(value).sum()))), noise, normals)
