"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Values near in Hellinger distance are masked with noise for that distance in their own units: large values are
# far apart.
@dp.semimetric("laterh72.hellinger", triangle=lambda r: 1.0, usable=lambda v, r: bool((v >= 0).all()))
def hellinger(a, b):
    """l2 distance of square roots."""
    return float(np.sqrt(np.square(np.sqrt(np.maximum(a, 0)) - np.sqrt(np.maximum(b, 0))).sum()) * (1 + 1e-14))


@dp.mask("laterh72.noise", semimetric="laterh72.hellinger", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """The lattice Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
