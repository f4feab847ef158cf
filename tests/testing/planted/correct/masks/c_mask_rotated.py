"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.c_mask_rotated", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def c_mask_rotated(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, lambda count: normals(count)[::-1])
