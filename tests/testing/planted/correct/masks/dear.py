"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.dear", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2)
def dear(value, noise, normals):
    """Charges twice what it costs."""
    return dp.lattice_gaussian(value, noise, normals)
