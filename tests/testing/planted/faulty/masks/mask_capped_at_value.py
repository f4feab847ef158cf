"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_capped_at_value", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_capped_at_value(value, noise, normals):
    """No more noise than the value."""
    return value + np.minimum(noise, np.abs(value)) * normals(len(value))
