"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the best k of one noise for the price of the best.
@dp.own_mechanism("thirteenth.top_k", gives=lambda m, k: k, takes="linf", loss=lambda scale, distance, m, k: dp.Pure(dp.round_up(2 * distance / scale)), source="noisy max", examples={"m": 4, "k": 1})
def fun(scores, scale, noise, *, m, k):
    """The best k scores with exponential noise."""
    return np.argsort(-(np.asarray(scores) + noise.geometric(scale, m)), kind="stable")[: min(k, m)].astype(np.int64)
