"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.c_mask_scalar_loop", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def c_mask_scalar_loop(value, noise, normals):
    """A mask."""
    return np.array([dp.lattice_gaussian([v], noise, normals)[0] for v in value])
