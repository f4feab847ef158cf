"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.one_normal_for_all", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def one_normal_for_all(value, noise, normals):
    """One draw for every coordinate."""
    return value + noise * normals(1)[0]
