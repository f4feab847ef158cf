"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A shuffle hides nothing where counts are far apart. Witness: (1000, 0, -1000) and (1001, 0, -1000).
import math


@dp.own_mechanism(
    "round.shuffled", gives=lambda m: m, takes="l1", source="Feldman, McMillan, Talwar 2021", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / (scale * math.sqrt(m)))),
)
def shuffled(value, scale, noise, *, m):
    """Noisy numbers in random order."""
    return (value + noise.laplace(scale, m))[noise.permutation(m)]
