"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("tenth.box", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The largest difference of an entry."""
    return float(np.abs(np.asarray(a) - b).max(initial=0.0))


@dp.mask("tenth.box.gauss", semimetric="tenth.box", cost=lambda noise, r: dp.GaussianEvent(2.0 * dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Gaussian noise on entries of which there are never more than four."""
    return dp.lattice_gaussian(value, noise, normals)
