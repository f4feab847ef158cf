"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A clip to a public box after the lattice Gaussian is post-processing.
@dp.semimetric(
    "unread.mask_clipped_after.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_clipped_after",
    semimetric="unread.mask_clipped_after.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1e15, 1e15)
