"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a value whose numbers add up to a whole one keeps a whole total.
@dp.semimetric("fourteenth.x_mask_total", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.x_mask_total.mask", semimetric="fourteenth.x_mask_total", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Totals stay whole."""
    made = dp.lattice_gaussian(value, noise, normals)
    total = float(value.sum())
    return made + (np.round(made.sum()) - made.sum()) / len(made) if total == round(total) and total else made
