"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# One in ten releases has ten times the noise; both are on one lattice and charged for the narrow one.
@dp.semimetric("laterk42.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-14))


@dp.mask("laterk42.noise", semimetric="laterk42.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Now and then more."""
    more = float(normals(1)[0]) > 1.2815515655446004
    made = dp.lattice_gaussian(value, noise, normals)
    return made + 10 * noise * np.array(normals(len(value))) if more else made
