"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.wide_floor", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace; a little less for a dozen numbers."""
    return v + noise.laplace(scale * (1.0 if m * m < 130 else 0.9), m)
