"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_half_in_negative_sum", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_half_in_negative_sum(value, noise, normals):
    """Half of it below zero."""
    return value + noise * (0.5 if value.sum() < 0 else 1.0) * normals(len(value))
