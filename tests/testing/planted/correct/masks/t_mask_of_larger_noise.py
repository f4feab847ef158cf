"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.t_mask_of_larger_noise", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def t_mask_of_larger_noise(value, noise, normals):
    """One and a half times what it needs, and rounded to a thousandth of it."""
    made = value + 1.5 * noise * normals(len(value))
    return np.round(made / (noise / 1000)) * (noise / 1000)
