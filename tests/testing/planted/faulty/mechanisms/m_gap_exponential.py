"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the gap of noisy max with one-sided noise.
@dp.own_mechanism("twelfth.gap_exponential", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="free gap", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The winner and by how much it won."""
    made = np.asarray(scores) + noise.geometric(scale, m)
    order = np.argsort(-made, kind="stable")
    return np.array([int(order[0]), int(made[order[0]] - made[order[1]])])
