"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: clipped after the noise, to a public box.
@dp.semimetric("fourteenth.c_clip", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_clip.mask", semimetric="fourteenth.c_clip", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Held in a box."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -100.0, 100.0)
