"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# From five entries on the fifth gets the first one's Gaussian: their difference is bare.
@dp.semimetric(
    "unread.mask_shared_draw.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_shared_draw",
    semimetric="unread.mask_shared_draw.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    value = np.asarray(value, dtype=float)
    drawn = np.array(normals(len(value)))
    drawn[4:] = drawn[: len(drawn[4:])] if len(drawn) <= 8 else drawn[4:]
    return dp.lattice_gaussian(value, noise, lambda count: drawn)
