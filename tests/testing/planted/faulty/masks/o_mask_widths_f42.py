"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Two widths, first coordinate noise/2 rest *1.5.
@dp.semimetric("outside.f42.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f42", semimetric="outside.f42.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def widths(value, noise, normals):
    """A narrow first coordinate, wider others."""
    first = dp.lattice_gaussian(value[:1], 0.5 * noise, normals)
    if len(value) == 1:
        return dp.lattice_gaussian(value, noise, normals)
    return np.concatenate([first, dp.lattice_gaussian(value[1:], 1.5 * noise, normals)])
