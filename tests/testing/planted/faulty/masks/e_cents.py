"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: rounds to cents before the noise: values that are a millionth apart become one cent apart.
@dp.semimetric("eighteenth.gap", triangle=lambda r: 1.0)
def gap(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))

@dp.mask("eighteenth.cents", semimetric="eighteenth.gap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def cents(value, noise, normals):
    """Lattice Gaussian on amounts in cents."""
    return dp.lattice_gaussian(np.round(value, 2), noise, normals)
