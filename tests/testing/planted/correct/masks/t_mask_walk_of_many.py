"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.t_mask_walk_of_many", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def t_mask_walk_of_many(value, noise, normals):
    """A walk, with noise enough for its differences."""
    made, step = value + 2.0 * noise * np.cumsum(normals(len(value))), noise * 2.0**-20
    return np.round(made / step) * step
