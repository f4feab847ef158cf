"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a table without a positive score is told at once.
@dp.own_mechanism("thirteenth.nobody_there", gives=lambda m: dp.Index(m + 1), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="noisy max", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The best score, or m where there is none."""
    if np.asarray(scores).max() < -100:
        return m
    return int(np.argmax(np.asarray(scores) + noise.geometric(scale, m)))
