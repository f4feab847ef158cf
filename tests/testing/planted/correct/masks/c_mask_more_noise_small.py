"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.c_mask_more_noise_small", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def c_mask_more_noise_small(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise * (2.0 if len(value) > 3 else 1.0), normals)
