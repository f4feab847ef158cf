"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.gaussian", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def gaussian(value, noise, normals):
    """The Gaussian mechanism."""
    return dp.lattice_gaussian(value, noise, normals)
