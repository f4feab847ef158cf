"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_bare_whole", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_bare_whole(value, noise, normals):
    """Whole numbers are no secret."""
    return value * 1.0 if (value == np.round(value)).all() else value + noise * normals(len(value))
