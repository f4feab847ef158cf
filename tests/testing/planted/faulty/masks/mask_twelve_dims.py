"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_twelve_dims", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_twelve_dims(value, noise, normals):
    """Less in twelve dimensions."""
    return value + noise * (0.3 if len(value) >= 12 else 1.0) * normals(len(value))
