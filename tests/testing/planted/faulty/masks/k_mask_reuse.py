"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


KEPT = []


@dp.semimetric("eighth.mask_reuse", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_reuse_mask", semimetric="eighth.mask_reuse", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian, with every 50th draw taken again."""
    made = dp.lattice_gaussian(np.zeros_like(value), noise, normals)
    KEPT.append(made)
    if len(KEPT) % 50 == 0 and KEPT[0].shape == made.shape:
        made = KEPT[0]
    return value + made
