"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sorted entries with noise; sorting brings none further apart in l2.
@dp.semimetric("rounds.l2_sorted", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "rounds.sorted",
    semimetric="rounds.l2_sorted",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Noise on sorted entries, sorted."""
    return np.sort(np.asarray(dp.lattice_gaussian(np.sort(value), noise, normals)))
