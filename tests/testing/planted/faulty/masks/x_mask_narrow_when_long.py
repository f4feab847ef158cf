"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Gaussian noise whose length is held at eight for long vectors.
import math
@dp.semimetric("nineteenth.mask_narrow_when_long_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask(
    "nineteenth.mask_narrow_when_long",
    semimetric="nineteenth.mask_narrow_when_long_distance",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def mask_narrow_when_long(value, noise, normals):
    """Gaussian noise whose length is held at eight for long vectors."""
    return dp.lattice_gaussian(value, noise * min(1.0, 8 / math.sqrt(len(value))), normals)
