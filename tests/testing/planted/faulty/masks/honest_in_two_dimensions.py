"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.honest_in_two_dimensions", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def honest_in_two_dimensions(value, noise, normals):
    """From five dimensions on a third of the noise."""
    return value + noise * (1.0 if len(value) < 5 else 0.3) * normals(len(value))
