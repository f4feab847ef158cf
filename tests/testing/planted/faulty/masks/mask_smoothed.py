"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_smoothed", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_smoothed(value, noise, normals):
    """Noise that neighbours share, of the same size."""
    g = normals(len(value) + 1)
    return value + noise * (0.8 * g[1:] + 0.6 * g[:-1])
