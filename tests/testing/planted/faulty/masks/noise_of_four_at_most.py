"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.noise_of_four_at_most", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def noise_of_four_at_most(value, noise, normals):
    """Noise cut at four deviations."""
    return value + noise * np.clip(normals(len(value)), -4.0, 4.0)
