"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.less_noise_in_many_dimensions", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def less_noise_in_many_dimensions(value, noise, normals):
    """Noise shared out over the coordinates."""
    return value + noise / np.sqrt(len(value)) * normals(len(value))
