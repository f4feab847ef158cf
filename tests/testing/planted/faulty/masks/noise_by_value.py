"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.noise_by_value", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def noise_by_value(value, noise, normals):
    """Relative noise."""
    return value * (1 + noise * normals(len(value)))
