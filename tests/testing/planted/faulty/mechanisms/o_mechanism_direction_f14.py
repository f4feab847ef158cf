"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace of half scale, wrapped modulo 360.
@dp.own_mechanism("outside.f14", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def direction(value, scale, noise):
    """A bearing with noise, in whole degrees."""
    return [(int(value[0]) + int(noise.laplace(0.5 * scale))) % 360]
