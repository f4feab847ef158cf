"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.w_mask_top_half", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def w_mask_top_half(value, noise, normals):
    """Noise where numbers are not small."""
    big = np.abs(value) >= 0.01 * np.abs(value).max()
    return np.where(big, value + noise * normals(len(value)), value)
