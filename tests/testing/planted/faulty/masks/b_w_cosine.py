"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: noise on the numbers for a distance of directions.
@dp.semimetric("fifteenth.w_cosine", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return 1.0 - float((a * b).sum()) / max(float(np.sqrt(np.square(a).sum() * np.square(b).sum())), 1e-300)
@dp.mask("fifteenth.w_cosine.mask", semimetric="fifteenth.w_cosine", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, normals)
