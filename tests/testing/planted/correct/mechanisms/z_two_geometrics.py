"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The difference of two geometric draws is discrete Laplace.
@dp.own_mechanism("laterc08.difference", gives=lambda m: m, takes="l1", source="Ghosh and others 2009", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))


def difference(value, scale, noise, *, m):
    """Two-sided geometric noise."""
    return value + noise.geometric(scale, m) - noise.geometric(scale, m)
