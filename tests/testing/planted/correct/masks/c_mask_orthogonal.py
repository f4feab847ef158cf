"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.c_mask_orthogonal", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def c_mask_orthogonal(value, noise, normals):
    """A mask."""
    u = np.ones(len(value)) / np.sqrt(len(value))
    g = normals(len(value))
    made, step = value + noise * (g - 2 * u * (u * g).sum()), noise * 2.0**-20
    return np.round(made / step) * step
