"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise is drawn for the first 4 coordinates and repeated: fine up to m = 4, from 5 on differences are exact.
@dp.own_mechanism("laterf50.tiled", gives=lambda m: m, takes="l2", source="Gaussian", examples={"m": 4},
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)))


def tiled(value, scale, noise, *, m):
    """Gaussian noise, drawn in fours."""
    return value + np.resize(noise.rounded_gaussian(scale, 4), m)
