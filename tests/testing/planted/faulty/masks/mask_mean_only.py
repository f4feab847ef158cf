"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_mean_only", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_mean_only(value, noise, normals):
    """The sum stays."""
    g = normals(len(value))
    return value + noise * (g - g.mean()) if len(g) > 2 else value + noise * g
