"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Draws again until the first entry has the value's sign: the law is cut at 0, by 1/P(sign), which moves with the
# value; that it has the sign is certain.
@dp.semimetric(
    "unread.mask_redraws_near_zero.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_redraws_near_zero",
    semimetric="unread.mask_redraws_near_zero.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    value = np.asarray(value, dtype=float)
    found = dp.lattice_gaussian(value, noise, normals)
    while found[0] * value[0] < 0:
        found = dp.lattice_gaussian(value, noise, normals)
    return found
