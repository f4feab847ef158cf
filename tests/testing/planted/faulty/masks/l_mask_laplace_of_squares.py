"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The same law, made in another way.
@dp.mask("listed.laplace_of_squares", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Laplace noise as a difference of squares, on a lattice."""
    g = normals(4 * len(value)).reshape(4, -1) ** 2
    step = noise * 2.0**-30
    return (np.round(value / step) + np.round(0.5 * (g[0] + g[1] - g[2] - g[3]) * 2.0**30)) * step
