"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: values beyond 1 are drawn back by a whole batch's factor after noise of the value's norm.
@dp.semimetric("sixteenth.k_unitball", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.k_unitball.mask", semimetric="sixteenth.k_unitball", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    n = max(1.0, float(np.sqrt(np.square(value).sum())))
    return n * dp.lattice_gaussian(value / n, noise, normals)
