"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise remembered by value (dict).
SEEN = {}


@dp.own_mechanism("outside.f15", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def cached(value, scale, noise):
    """Laplace noise, answers kept so that asking twice does not average it out."""
    key = (int(value[0]), scale)
    if key not in SEEN:
        SEEN[key] = int(value[0]) + int(noise.laplace(scale))
    return [SEEN[key]]
