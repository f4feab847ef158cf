"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_keeps_sign", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_keeps_sign(value, noise, normals):
    """The sign is kept."""
    return np.sign(value) * np.abs(value + noise * normals(len(value)))
