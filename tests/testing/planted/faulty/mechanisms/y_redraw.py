"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Negative noisy counts are drawn again (up to 100 times); near zero the law's normaliser differs between
# neighbours.
@dp.own_mechanism("laterf30.redraw", gives=lambda m: m, takes="l1", source="Laplace", examples={"m": 2},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))


def redraw(value, scale, noise, *, m):
    """Counts with noise, never negative."""
    for _ in range(100):
        noisy = value + noise.laplace(scale, m)
        if (noisy >= 0).all():
            return noisy
    return np.maximum(value, 0)
