"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_float_grid", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_float_grid(value, noise, normals):
    """Noise with four decimals."""
    return value + noise * np.round(normals(len(value)), 4)
