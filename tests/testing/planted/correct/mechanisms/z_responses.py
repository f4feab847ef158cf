"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Randomised responses, and noise on how many there are where rows come and go: proved for replaced ones alone.
import math


@dp.own_mechanism("laterk37.responses", gives=2, takes="edits", source="Warner 1965", proved_for=[(1, 1)],
    loss=lambda scale, removed, added: dp.Pure(dp.round_up(1.0 / scale)))


def responses(rows, scale, noise):
    """Each row tells whether it is above 0, or the opposite."""
    made = np.zeros(2, dtype=np.int64)
    for v in rows[:, 0]:
        lie = bool(np.ravel(noise.bernoulli_exp([math.log1p(math.exp(1.0 / scale))]))[0])
        made[int((v > 0) != lie)] += 1
    return made
