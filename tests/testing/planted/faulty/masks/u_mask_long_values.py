"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# No number of the code is a size.
@dp.semimetric("turns.cubed", triangle=lambda r: 4.0)
def cubed(a, b):
    """The distance to the third."""
    return float(np.sum((a - b) ** 2) ** 1.5)
@dp.mask("turns.long", semimetric="turns.cubed",
         cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r ** (1 / 3) * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, twice as wide for long values."""
    return dp.lattice_gaussian(value, noise * (2 if max(len(str(int(abs(v)))) for v in value) > 4 else 1), normals)
