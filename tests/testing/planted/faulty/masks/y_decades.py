"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise by the decade of the size: 9.99 and 10.01 get widths ten times apart.
@dp.semimetric("laterf37.near", triangle=lambda r: 1.0)
def near(a, b):
    """Euclidean distance."""
    return float(np.sqrt(((a - b) ** 2).sum()) * (1 + 1e-15))


@dp.mask("laterf37.noise", semimetric="laterf37.near", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """At least the noise asked for; more for large values."""
    size = float(np.abs(value).max())
    decade = 10.0 ** max(0.0, np.floor(np.log10(size))) if size > 0 else 1.0
    return dp.lattice_gaussian(value, noise * decade, normals)
