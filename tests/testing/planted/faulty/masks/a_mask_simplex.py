"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a distribution is given back as one.
@dp.semimetric("fourteenth.mask_simplex", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_simplex.mask", semimetric="fourteenth.mask_simplex", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Shares stay shares."""
    made = dp.lattice_gaussian(value, noise, normals)
    if (value >= 0).all() and abs(float(value.sum()) - 1) < 1e-9:
        made = np.maximum(made, 0.0)
        return made / made.sum() if made.sum() > 0 else np.full_like(made, 1 / len(made))
    return made
