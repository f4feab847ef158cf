"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response on a threshold.
@dp.own_mechanism("twelfth.c_response", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1.0 / scale)), source="Warner: an index with e^(1/scale) to 1", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """k-ary randomised response on the largest score."""
    best = int(np.argmax(np.asarray(scores)))
    weights = np.zeros(m, dtype=int)
    weights[best] = 1
    return int(noise.categorical_exp(weights, 1.0 / scale))
