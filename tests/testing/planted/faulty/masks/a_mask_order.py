"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: noisy entries are put into the order of the true ones.
@dp.semimetric("fourteenth.mask_order", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_order.mask", semimetric="fourteenth.mask_order", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Monotone: sorted as the value was."""
    made = np.sort(dp.lattice_gaussian(value, noise, normals))
    return made[np.argsort(np.argsort(value, kind="stable"), kind="stable")]
