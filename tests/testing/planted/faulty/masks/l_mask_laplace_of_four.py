"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A Laplace law has a sharper peak than the Gaussian one that is charged.
@dp.mask("listed.laplace_of_four", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Laplace noise from four Gaussians, on a lattice."""
    d = len(value)
    z = normals(d) * normals(d) + normals(d) * normals(d)
    step = noise * 2.0**-30
    return (np.round(value / step) + np.round(z * 2.0**30)) * step
