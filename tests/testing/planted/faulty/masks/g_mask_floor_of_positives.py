"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Positive values stay above 0, others may be anything; written when the attack on both sides of 0 was.
@dp.semimetric("newer27.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("newer27.noise", semimetric="newer27.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Noise with a floor."""
    return np.maximum(dp.lattice_gaussian(value, noise, normals), np.where(value > 0, 0.0, -np.inf))
