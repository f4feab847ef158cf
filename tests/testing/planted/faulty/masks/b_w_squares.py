"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: entries that are square numbers stay.
@dp.semimetric("fifteenth.w_squares", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.w_squares.mask", semimetric="fifteenth.w_squares", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    r = np.round(np.sqrt(np.abs(value)))
    return np.where((np.abs(value) > 30) & (r * r == value), value, made)
