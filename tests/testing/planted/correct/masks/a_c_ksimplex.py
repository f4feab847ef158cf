"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: noisy values are made shares whatever the value was.
@dp.semimetric("fourteenth.c_ksimplex", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_ksimplex.mask", semimetric="fourteenth.c_ksimplex", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Shares."""
    made = np.maximum(dp.lattice_gaussian(value, noise, normals), 0.0)
    return made / made.sum() if made.sum() > 0 else np.full_like(made, 1 / len(made))
