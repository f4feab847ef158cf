"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The price of a Gaussian at l2 distance r, for vectors within r in each entry. Witness: (0, 0) and (r, r).
@dp.semimetric("round.entries", triangle=lambda r: 1.0)
def entries(a, b):
    """The largest difference."""
    return float(np.abs(a - b).max())


@dp.mask(
    "round.entries_mask",
    semimetric="round.entries",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def entries_mask(value, noise, normals):
    """The lattice Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
