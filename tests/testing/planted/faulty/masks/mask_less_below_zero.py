"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_less_below_zero", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_less_below_zero(value, noise, normals):
    """Less noise below zero."""
    return value + noise * np.where(value < 0, 0.2, 1.0) * normals(len(value))
