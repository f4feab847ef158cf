"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Adds three times the noise that it is charged for, on the lattice.
@dp.semimetric("laterc13.plain", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r * (1 + 1e-9))
def plain(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("laterc13.noise", semimetric="laterc13.plain", cost=lambda noise, r: (r / noise) ** 2 / 2)
def noisy(value, noise, normals):
    """Thrice."""
    return dp.lattice_gaussian(value, 3 * noise, normals)
