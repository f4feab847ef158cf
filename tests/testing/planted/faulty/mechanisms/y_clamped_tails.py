"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise is clamped at 12 scales, so the ends have atoms that a neighbour can't reach: pure e is infinite there
# (probability 3e-6).
@dp.own_mechanism("laterf22.clamped", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def clamped(value, scale, noise):
    """Laplace noise without wild outliers."""
    most = int(np.ceil(12 * scale))
    return value + np.clip(noise.laplace(scale, 1), -most, most)
