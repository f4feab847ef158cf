"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A sum of money stays positive and a debt a debt: the sign is bare.
@dp.semimetric("newer25.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("newer25.noise", semimetric="newer25.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Noise that leaves signs."""
    return np.copysign(dp.lattice_gaussian(value, noise, normals), value)
