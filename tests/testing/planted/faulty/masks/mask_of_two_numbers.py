"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.largest", triangle=lambda r: 1.0)
def largest(a, b):
    """The largest difference, of vectors of any length."""
    return float(np.abs(a - b).max())


@dp.mask("mine.mask_of_two_numbers", semimetric="mine.largest", cost=lambda noise, r: (r / noise + 1e-9) ** 2)
def mask_of_two_numbers(value, noise, normals):
    """Priced for two numbers: within r each they are within √2·r, but ten are not."""
    return value + noise * normals(len(value))
