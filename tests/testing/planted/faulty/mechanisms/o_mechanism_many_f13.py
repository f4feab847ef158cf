"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# M Laplace numbers for linf, priced (m-1)*distance/scale.
@dp.own_mechanism("outside.f13", gives=lambda m: dp.Vector(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up((m - 1) * distance / scale)), source="me", examples={"m": 3})
def many(values, scale, noise, *, m):
    """Each with Laplace noise."""
    return [int(v) + int(noise.laplace(scale)) for v in values]
