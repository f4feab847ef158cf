"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.lap_l2", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Laplace noise."""
    return value + noise.laplace(scale, m)
