"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A Laplace law of width b is no dearer than a Gaussian one of mu = 1.26 r/b, whatever r.
@dp.mask("listed.c_laplace_of_four", semimetric="euclidean", cost=lambda noise, r: dp.GaussianEvent(1.3 * dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Laplace noise from four Gaussians, on a lattice, where one number is masked."""
    d = len(value)
    if d > 1:
        return dp.lattice_gaussian(value, noise, normals)
    z = normals(d) * normals(d) + normals(d) * normals(d)
    step = noise * 2.0**-30
    return (np.round(value / step) + np.round(z * 2.0**30)) * step
