"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_redrawn_beyond_four", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_redrawn_beyond_four(value, noise, normals):
    """Far draws are drawn again."""
    g = normals(len(value))
    while np.abs(g).max() > 4.0:
        g = normals(len(value))
    return value + noise * g
