"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise, and then a grid.
@dp.semimetric("rounds.l2_after", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "rounds.after",
    semimetric="rounds.l2_after",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Rounded to a grid that goes with the noise, after it."""
    step = noise / 4
    return np.round(np.asarray(dp.lattice_gaussian(value, noise, normals)) / step) * step
