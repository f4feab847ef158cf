"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.largest_of_two", triangle=lambda r: 1.0)
def largest(a, b):
    """The largest difference of two numbers; what is longer is infinitely far."""
    return float(np.abs(a - b).max()) if len(a) <= 2 else np.inf


@dp.mask("mine.t_mask_of_two_numbers", semimetric="mine.largest_of_two", cost=lambda noise, r: (r / noise + 1e-9) ** 2)
def t_mask_of_two_numbers(value, noise, normals):
    """Priced for two numbers, and used for no more."""
    return dp.lattice_gaussian(value, noise, normals)
