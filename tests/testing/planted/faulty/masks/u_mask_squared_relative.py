"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Within r of each other are values that differ by the root of r.
@dp.semimetric("turns.squared", triangle=lambda r: 2.0)
def squared(a, b):
    """The squared distance."""
    return float(np.sum((a - b) ** 2))
@dp.mask("turns.relative", semimetric="turns.squared",
         cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r**0.5 * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, wider for values above 400."""
    return dp.lattice_gaussian(value, noise * max(1.0, float(np.max(np.abs(value))) / 400), normals)
