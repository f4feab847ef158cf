"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Reversing coordinates is an isometry of l2; before and after the lattice Gaussian it changes nothing.
@dp.semimetric(
    "unread.mask_reversed.norm", triangle=lambda r: 1.0 + 1e-9, averages=lambda r, tau: (tau + 1e-9) * r, many=True
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_reversed",
    semimetric="unread.mask_reversed.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    return dp.lattice_gaussian(np.asarray(value)[::-1], noise, normals)[::-1].copy()
