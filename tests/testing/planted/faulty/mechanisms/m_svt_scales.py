"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: sparse vector with the threshold's noise on the queries.
@dp.own_mechanism("twelfth.svt_scales", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="sparse vector", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The first score above a noisy 0, the last one if there is none."""
    bar = noise.laplace(scale, 1)[0]
    for j, s in enumerate(np.asarray(scores)[: m - 1]):
        if s + noise.laplace(scale, 1)[0] >= bar:
            return j
    return m - 1
