"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: rho = r/(2 noise), not squared.
@dp.semimetric("twelfth.wrong_power.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.wrong_power", semimetric="twelfth.wrong_power.space", cost=lambda noise, r: r / (2 * noise))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
