"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("ninth.c_doubled", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise, as a difference."""
    return np.asarray(value) + noise.geometric(scale, m) - noise.geometric(scale, m)
