"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.t_mask_correlated_enough", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def t_mask_correlated_enough(value, noise, normals):
    """Noise of one deviation in every direction, and more that all share."""
    return dp.lattice_gaussian(value, noise, normals) + 0.5 * noise * normals(1)
