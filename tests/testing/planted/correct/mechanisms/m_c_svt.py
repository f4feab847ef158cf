"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: sparse vector, charged in full.
@dp.own_mechanism("twelfth.c_svt", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(3 * distance / scale)), source="Dwork and others 2009", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The first score above a noisy 0, the last one if there is none."""
    bar = noise.laplace(scale, 1)[0]
    for j, s in enumerate(np.asarray(scores)[: m - 1]):
        if s + noise.laplace(scale, 1)[0] >= bar:
            return j
    return m - 1
