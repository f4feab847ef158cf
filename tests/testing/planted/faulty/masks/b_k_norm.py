"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: lengths above 250 are kept.
@dp.semimetric("fifteenth.k_norm", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.k_norm.mask", semimetric="fifteenth.k_norm", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    n = float(np.sqrt(np.square(value).sum()))
    return made * (n / float(np.sqrt(np.square(made).sum()))) if n > 250 and np.any(made) else made
