"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.v_one_sided_on_top.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.v_one_sided_on_top", semimetric="mine.v_one_sided_on_top.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """A Gaussian, and half of one on top."""
    near = np.asarray(dp.lattice_gaussian(value, noise, normals))
    return near + noise * np.abs(np.array(normals(len(value)), dtype=float))
