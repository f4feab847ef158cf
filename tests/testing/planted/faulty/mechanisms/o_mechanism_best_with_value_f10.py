"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noisy max and the winning noisy score from the same noise, at the price of the index.
@dp.own_mechanism("outside.f10", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 3})
def best_with_value(scores, scale, noise, *, m):
    """The index of the largest noisy score, and that score."""
    noisy = scores + noise.laplace(scale, m)
    at = int(np.argmax(noisy))
    return [at, int(noisy[at])]
