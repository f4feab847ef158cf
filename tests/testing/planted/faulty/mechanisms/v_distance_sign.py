"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mechanism: propose, test, release with the distance taken off.
@dp.own_mechanism("thirteenth.distance_sign", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: (dp.round_up(2 * distance / scale), 1e-3), source="stability", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The best score where it leads by enough, else the last."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    lead = int(scores[order[0]] - scores[order[1]])
    return int(order[0]) if -lead + int(noise.laplace(scale)) < scale * math.log(1 / 2e-3) + 1 else m - 1
