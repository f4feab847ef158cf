"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.d_mask_of_length", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def d_mask_of_length(value, noise, normals):
    """Noise in every direction, then at most length 2."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made / max(1.0, float(np.linalg.norm(made)) / 2)
