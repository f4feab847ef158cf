"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mask: distance modulo a turn, the mask adds noise to the angle as it is.
@dp.semimetric("twelfth.angle_pair.space", triangle=lambda r: 1.0)
def s(a, b):
    """Largest angle between directions."""
    gap = np.abs(np.asarray(a) - np.asarray(b)) % (2 * math.pi)
    return float(np.sqrt(np.square(np.minimum(gap, 2 * math.pi - gap)).sum()))
@dp.mask("twelfth.angle_pair", semimetric="twelfth.angle_pair.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise on angles."""
    return dp.lattice_gaussian(value, noise, normals)
