"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A count of a sample.
import math


@dp.own_mechanism(
    "rounds.sample", gives=1, takes="edits", source="Balle, Barthe, Gaboardi 2018",
    loss=lambda scale, removed, added: dp.Pure(
        dp.round_up((removed + added) * math.log1p(math.expm1(min(1 / scale, 700.0)) / 4))
    ),
)
def sample(rows, scale, noise):
    """How many rows there are, from about a quarter of them."""
    chosen = np.asarray(noise.uniform_below(4, len(rows))) == 0
    return np.array([int(np.count_nonzero(chosen)) + int(noise.laplace(scale))])
