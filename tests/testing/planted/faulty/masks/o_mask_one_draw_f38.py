"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Same normal used for all coordinates.
@dp.semimetric("outside.f38.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f38", semimetric="outside.f38.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def one_draw(value, noise, normals):
    """One draw for the whole vector."""
    drawn = float(normals(1)[0])
    return dp.lattice_gaussian(value, noise, lambda count: np.full(count, drawn))
