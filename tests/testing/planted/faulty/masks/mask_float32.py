"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_float32", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_float32(value, noise, normals):
    """Noise in single precision."""
    return value + (noise * normals(len(value))).astype(np.float32)
