"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_half_cost", semimetric="euclidean", cost=lambda noise, r: (r / (2 * noise)) ** 2 / 2)
def mask_half_cost(value, noise, normals):
    """Values within r of one another are within r/2 of their middle."""
    return value + noise * normals(len(value))
