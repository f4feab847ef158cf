"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_unequal_scales", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_unequal_scales(value, noise, normals):
    """Less noise where coordinates differ in size."""
    return value + noise * np.where(np.abs(value) > 1e3 * np.abs(value).min(), 0.1, 1.0) * normals(len(value))
