"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a centred value is given back centred.
@dp.semimetric("fourteenth.mask_centred", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_centred.mask", semimetric="fourteenth.mask_centred", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Deviations stay deviations."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made - made.mean() if len(value) > 1 and value.any() and abs(float(value.sum())) < 1e-12 else made
