"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise is drawn for 64 numbers and repeated beyond.
@dp.own_mechanism("laterh60.tiled", gives=lambda m: m, takes="l2", source="Gaussian", examples={"m": 3},
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)))


def tiled(value, scale, noise, *, m):
    """Gaussian noise, 64 draws at a time."""
    return value + np.resize(noise.rounded_gaussian(scale, min(m, 64)), m)
