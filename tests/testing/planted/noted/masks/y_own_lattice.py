"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise on a lattice whose step is that of floats about the value: neighbours on both sides of a power of two.
@dp.mask("laterh83.lattice", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def noisy(value, noise, normals):
    """The Gaussian mechanism on a lattice."""
    step = max(np.spacing(np.abs(value).max()), 2.0**-60)
    return np.round(value / step) * step + np.round(noise * normals(len(value)) / step) * step
