"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_bare_at_zero", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_bare_at_zero(value, noise, normals):
    """A zero stays one."""
    return value + noise * (value != 0) * normals(len(value))
