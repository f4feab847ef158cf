"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: rounds to cents after the noise, where that is far above a cent or not: of what was released.
@dp.semimetric("eighteenth.cgap", triangle=lambda r: 1.0)
def gap(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))

@dp.mask("eighteenth.ccents", semimetric="eighteenth.cgap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def cents(value, noise, normals):
    """Lattice Gaussian, in cents."""
    return np.round(dp.lattice_gaussian(value, noise, normals), 2)
