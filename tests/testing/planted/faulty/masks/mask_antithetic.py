"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_antithetic", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_antithetic(value, noise, normals):
    """One draw for two coordinates."""
    g = normals(len(value))
    if len(g) > 1:
        g[1] = -g[0]
    return value + noise * g
