"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.half_noise_when_large", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def half_noise_when_large(value, noise, normals):
    """Large values need less noise, it says."""
    return value + noise * (0.5 if np.abs(value).max() > 1e5 else 1.0) * normals(len(value))
