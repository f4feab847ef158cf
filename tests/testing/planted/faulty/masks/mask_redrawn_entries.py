"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_redrawn_entries", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_redrawn_entries(value, noise, normals):
    """Entries beyond five are drawn again."""
    g = normals(len(value))
    while (far := np.abs(g) > 5.0).any():
        g[far] = normals(int(far.sum()))
    return value + noise * g
