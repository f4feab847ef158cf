"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response of m answers.
@dp.own_mechanism("thirteenth.c_response", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1 / scale)), source="Warner", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The best score, or another one."""
    best = int(np.argmax(scores))
    weights = np.zeros(m, dtype=np.int64)
    weights[best] = 1
    return int(noise.categorical_exp(weights, 1.0 / scale * (1 - 2.0**-40)))
