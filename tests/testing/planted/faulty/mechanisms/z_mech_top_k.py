"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Top k in one shot: noise once, then the k largest.
import math
@dp.own_mechanism(
    "top.one_shot",
    gives=lambda m, k: dp.Counts(m),
    takes="linf",
    loss=lambda scale, distance, m, k: dp.Pure(dp.round_up(2 * math.sqrt(k) * distance / scale)),
    source="Qiao, Su, Zhang 2021: one-shot Laplace costs sqrt(k)",
    examples={"m": 4, "k": 2},
)
def one_shot(scores, scale, noise, *, m, k):
    """Ranks 1 .. k of the k largest noisy scores, 0 elsewhere."""
    made = np.asarray(scores) + noise.laplace(scale, m)
    order = np.argsort(-made, kind="stable")[:k]
    ranks = np.zeros(m, dtype=int)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks
