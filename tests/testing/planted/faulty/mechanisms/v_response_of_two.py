"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response of m answers with the coin for two.
@dp.own_mechanism("thirteenth.response_of_two", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1 / scale)), source="Warner", examples={"m": 2})
def fun(scores, scale, noise, *, m):
    """The best score, or another one."""
    best = int(np.argmax(scores))
    stays = int(noise.categorical_exp(np.array([1, 0]), 1.0 / scale)) == 0
    other = int(noise.uniform_below(max(m - 1, 1)))
    return best if stays or m == 1 else (best + 1 + other) % m
