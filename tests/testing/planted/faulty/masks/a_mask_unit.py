"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: values of length one are given back with length one.
@dp.semimetric("fourteenth.mask_unit", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_unit.mask", semimetric="fourteenth.mask_unit", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A direction stays a direction."""
    made = dp.lattice_gaussian(value, noise, normals)
    unit = abs(float(np.square(value).sum()) - 1) < 1e-9
    return made / max(float(np.sqrt(np.square(made).sum())), 1e-300) if unit else made
