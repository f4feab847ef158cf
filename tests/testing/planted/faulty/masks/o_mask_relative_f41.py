"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise * max(1, |value|) priced as noise... inverse: noise / max(1, |value|).
@dp.semimetric("outside.f41.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f41", semimetric="outside.f41.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def relative(value, noise, normals):
    """Less noise for large vectors."""
    size = max(1.0, float(np.abs(value).max()))
    return dp.lattice_gaussian(value, noise / min(size, 4.0), normals)
