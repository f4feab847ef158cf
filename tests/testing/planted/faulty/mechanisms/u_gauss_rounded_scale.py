"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_gauss_rounded_scale", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (2 * scale * scale))), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    return value + noise.gaussian(float(round(scale)) if scale > 8 else scale, len(value))
