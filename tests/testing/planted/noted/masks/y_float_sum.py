"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The Gaussian mechanism in floats; neighbours: 0, whose releases near 0 have all their digits, and 0.5, whose end
# at 2^-54.
@dp.mask("laterh80.sum", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def noisy(value, noise, normals):
    """The Gaussian mechanism."""
    return value + noise * normals(len(value))
