"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sigma is rounded to a whole number: 1.4 becomes 1, the loss is charged for 1.4.
@dp.own_mechanism("laterf29.whole", gives=lambda m: m, takes="l2", source="discrete Gaussian", examples={"m": 2},
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(distance**2 / (2 * scale**2))))


def whole(value, scale, noise, *, m):
    """Discrete Gaussian with a whole sigma."""
    return value + noise.gaussian(float(max(1, round(scale))), m)
