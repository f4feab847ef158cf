"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CACHE = {}

@dp.mask("mine.caches_by_value", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def caches_by_value(value, noise, normals):
    """The same value is masked once."""
    key = tuple(np.round(value, 3))
    if key not in CACHE:
        CACHE[key] = value + noise * normals(len(value))
    return CACHE[key]
