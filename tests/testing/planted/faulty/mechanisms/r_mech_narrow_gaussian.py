"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The discrete Gaussian is no Gaussian event where it is narrow. Witness: sigma = .4, 0 and 1.
@dp.own_mechanism(
    "round.gdp", gives=lambda m: m, takes="l2", source="Canonne, Kamath, Steinke 2020",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 1},
)
def gdp(value, scale, noise, *, m):
    """Numbers with discrete Gaussian noise."""
    return value + noise.gaussian(scale, m)
