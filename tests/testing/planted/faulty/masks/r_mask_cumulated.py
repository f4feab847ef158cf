"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sums up to each entry move further than the entries. Witness: (0, 0) and (r, 0): (r, r).
@dp.semimetric("round.l2_cumulated", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "round.cumulated",
    semimetric="round.l2_cumulated",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Noise on cumulated entries, and back."""
    noisy = np.asarray(dp.lattice_gaussian(np.cumsum(value), noise, normals))
    return np.diff(noisy, prepend=0.0)
