"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.v_with_product.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.v_with_product", semimetric="mine.v_with_product.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """A Gaussian, and a product of two more on top."""
    n = len(value)
    near = np.asarray(dp.lattice_gaussian(value, noise, normals))
    z = np.array(normals(2 * n), dtype=float)
    return near + noise * z[:n] * z[n:]
