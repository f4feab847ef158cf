"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: after masking, projected onto the line through the true value.
@dp.semimetric("fourteenth.mask_proj", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_proj.mask", semimetric="fourteenth.mask_proj", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Shrunk towards the truth by James and Stein."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made if np.square(made).sum() > 2 * len(value) * noise**2 else value * 0.5
