"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rounded to a quarter of the noise before it is added. Witness: r = noise / 100 on both sides of noise / 8.
@dp.semimetric("round.l2_grid", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "round.grid",
    semimetric="round.l2_grid",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Noise on what is rounded to a grid that goes with the noise."""
    step = noise / 4
    return dp.lattice_gaussian(np.round(np.asarray(value) / step) * step, noise, normals)
