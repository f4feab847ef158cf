"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: entries far from the median of the value are not masked.
@dp.semimetric("fifteenth.k_outlier", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.k_outlier.mask", semimetric="fifteenth.k_outlier", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    med = np.median(value)
    return np.where(np.abs(value - med) > 40 * (np.median(np.abs(value - med)) + noise), value, made)
