"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_redrawn_when_wide", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_redrawn_when_wide(value, noise, normals):
    """Long ones of several numbers are drawn again."""
    g = normals(len(value))
    while len(value) > 1 and g @ g > len(value) + 8 * np.sqrt(len(value)) + 9:
        g = normals(len(value))
    return value + noise * g
