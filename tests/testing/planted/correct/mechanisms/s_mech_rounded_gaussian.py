"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A discrete Gaussian.
@dp.own_mechanism(
    "rounds.gdp", gives=lambda m: m, takes="l2", source="Canonne, Kamath, Steinke 2020",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 1},
)
def gdp(value, scale, noise, *, m):
    """Numbers with discrete Gaussian noise."""
    return value + noise.rounded_gaussian(scale, m)
