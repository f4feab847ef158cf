"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_small_noise_none", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_small_noise_none(value, noise, normals):
    """Noise below 1e-7 is left out."""
    return value + (noise if noise > 1e-7 else 0.0) * normals(len(value))
