"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.c_mask_extra_draw", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def c_mask_extra_draw(value, noise, normals):
    """A mask."""
    normals(3)
    return dp.lattice_gaussian(value, noise, normals)
