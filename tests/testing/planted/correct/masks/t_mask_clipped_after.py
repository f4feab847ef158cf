"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.t_mask_clipped_after", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def t_mask_clipped_after(value, noise, normals):
    """Noise first, then a box."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1.0, 1.2)
