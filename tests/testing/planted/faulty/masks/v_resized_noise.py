"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: beyond ten numbers the noise is repeated.
@dp.semimetric("thirteenth.resized_noise.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.resized_noise", semimetric="thirteenth.resized_noise.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, drawn for ten numbers."""
    return dp.lattice_gaussian(value, noise, lambda n: np.resize(normals(min(int(n), 10)), int(n)))
