"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The two largest.
@dp.own_mechanism(
    "rounds.top_two", gives=2, takes="linf", source="Ding and others 2021", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(4 * distance / scale)),
)
def top_two(value, scale, noise, *, m):
    """The indices of the two largest of m scores, one after the other."""
    first = int(np.argmax(value + noise.geometric(scale, m)))
    rest = [i for i in range(m) if i != first]
    second = rest[int(np.argmax(value[rest] + noise.geometric(scale, m - 1)))]
    return np.array([first, second])
