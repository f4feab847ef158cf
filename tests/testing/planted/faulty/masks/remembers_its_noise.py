"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


DRAWN = {}

@dp.mask("mine.remembers_its_noise", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def remembers_its_noise(value, noise, normals):
    """Draws once."""
    if len(value) not in DRAWN:
        DRAWN[len(value)] = normals(len(value))
    return value + noise * DRAWN[len(value)]
