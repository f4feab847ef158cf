"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_pairs_of_normals", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_pairs_of_normals(value, noise, normals):
    """Normals come in pairs; an odd one out takes the first again."""
    g = normals(2 * (len(value) // 2)) if len(value) > 1 else normals(1)
    return value + noise * np.resize(g, len(value))
