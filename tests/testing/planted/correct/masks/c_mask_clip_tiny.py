"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.c_mask_clip_tiny", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def c_mask_clip_tiny(value, noise, normals):
    """A mask."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1e-3, 1e-3)
