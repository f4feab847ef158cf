"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The noise shrinks with the value's size: at 1e9 it is half as wide, where mu is twice the claim.
@dp.semimetric(
    "unread.mask_narrow_far_out.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_narrow_far_out",
    semimetric="unread.mask_narrow_far_out.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    return dp.lattice_gaussian(value, noise / (1.0 + 1e-9 * float(np.abs(value).max())), normals)
