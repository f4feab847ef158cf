"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: an even ladder stays one.
@dp.semimetric("fourteenth.x_mask_ladder", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.x_mask_ladder.mask", semimetric="fourteenth.x_mask_ladder", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Ladders stay ladders."""
    made = dp.lattice_gaussian(value, noise, normals)
    g = np.diff(value)
    return np.linspace(made[0], made[-1], len(made)) if len(value) > 2 and g[0] != 0 and (g == g[0]).all() else made
