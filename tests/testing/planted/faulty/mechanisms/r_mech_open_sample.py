"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Amplified by a sample that is no secret: every fourth value. Witness: add row [4.0].
import math


@dp.own_mechanism(
    "round.sample", gives=1, takes="edits", source="Balle, Barthe, Gaboardi 2018",
    loss=lambda scale, removed, added: dp.Pure(
        dp.round_up((removed + added) * math.log1p(math.expm1(min(1 / scale, 700.0)) / 4))
    ),
)
def sample(rows, scale, noise):
    """How many rows there are, from about a quarter of them."""
    chosen = np.mod(np.floor(np.clip(rows[:, 0], -1e9, 1e9)), 4) == 0
    return np.array([int(np.count_nonzero(chosen)) + int(noise.laplace(scale))])
