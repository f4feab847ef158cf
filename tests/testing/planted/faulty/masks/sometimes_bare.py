"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.sometimes_bare", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def sometimes_bare(value, noise, normals):
    """No noise where the draw was large."""
    g = normals(len(value))
    return value * 1.0 if abs(g[0]) > 2.0 else value + noise * g
