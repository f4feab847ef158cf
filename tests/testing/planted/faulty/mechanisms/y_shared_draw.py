"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# One Gaussian draw for all coordinates; differences of coordinates are released exactly; m >= 2.
@dp.own_mechanism("laterf27.shared", gives=lambda m: m, takes="l2", source="Gaussian", examples={"m": 3},
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)))


def shared(value, scale, noise, *, m):
    """Gaussian noise."""
    return value + noise.rounded_gaussian(scale)
