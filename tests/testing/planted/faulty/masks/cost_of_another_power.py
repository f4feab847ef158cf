"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.cost_of_another_power", semimetric="euclidean", cost=lambda noise, r: (min(r, r * r) / noise ** 2 + 1e-9) / 2)
def cost_of_another_power(value, noise, normals):
    """Charges r where it should charge r squared, from one on."""
    return value + noise * normals(len(value))
