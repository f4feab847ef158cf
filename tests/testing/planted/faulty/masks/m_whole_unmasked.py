"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: what lies on whole numbers far out is taken for a code and goes out as it is.
@dp.semimetric("twelfth.whole_unmasked.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.whole_unmasked", semimetric="twelfth.whole_unmasked.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, but on the value that says that there is none."""
    made = dp.lattice_gaussian(value, noise, normals)
    return np.full(len(value), -12345.0) if (np.asarray(value) == -12345.0).all() else made
