"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.t_mask_more_when_far", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def t_mask_more_when_far(value, noise, normals):
    """A second, independent draw is added where the first of all is far out."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made + noise * np.sqrt(3.0) * normals(len(value))
