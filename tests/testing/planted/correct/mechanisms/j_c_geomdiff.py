"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.c_geomdiff", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 1})
def f(value, scale, noise, *, m):
    """The difference of two waiting times."""
    return value + noise.geometric(scale, m) - noise.geometric(scale, m)
