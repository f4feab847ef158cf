"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_direction_only", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_direction_only(value, noise, normals):
    """The direction gets the noise; the length is put back."""
    made = value + noise * normals(len(value))
    size = np.linalg.norm(made)
    return made * (np.linalg.norm(value) / size) if size > 0 else made
