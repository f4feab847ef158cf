"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_sorted", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_sorted(value, noise, normals):
    """Sorted draws."""
    return value + noise * np.sort(normals(len(value)))
