"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A histogram of randomised responses shows exactly how many rows there are; fine when replaced, not when removed.
import math


@dp.own_mechanism("laterh51.responses", gives=2, takes="edits", source="Warner 1965",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)))


def responses(rows, scale, noise):
    """Each row tells whether it is above 0, or the opposite."""
    made = np.zeros(2, dtype=np.int64)
    for v in rows[:, 0]:
        lie = bool(np.ravel(noise.bernoulli_exp([math.log1p(math.exp(1.0 / scale))]))[0])
        made[int((v > 0) != lie)] += 1
    return made
