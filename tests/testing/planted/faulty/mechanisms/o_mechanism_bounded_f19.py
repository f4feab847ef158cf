"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Redraws until |noise| < 4 scale.
@dp.own_mechanism("outside.f19", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def bounded(value, scale, noise):
    """Laplace noise that is never far out."""
    while True:
        drawn = int(noise.laplace(scale))
        if abs(drawn) < 4 * scale + 1:
            return [int(value[0]) + drawn]
