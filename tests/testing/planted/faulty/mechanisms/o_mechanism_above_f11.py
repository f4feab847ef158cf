"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sparse vector whose answers have no noise of their own (threshold noise only).
@dp.own_mechanism("outside.f11", gives=lambda m: dp.Vector(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 4})
def above(values, scale, noise, *, m):
    """Which are above a noisy threshold of 10 steps."""
    level = 10 + int(noise.laplace(scale))
    return [int(v > level) for v in values]
