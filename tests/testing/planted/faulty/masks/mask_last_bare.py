"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_last_bare", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_last_bare(value, noise, normals):
    """No noise from the sixth coordinate on."""
    g = normals(len(value))
    g[5:] = 0
    return value + noise * g
