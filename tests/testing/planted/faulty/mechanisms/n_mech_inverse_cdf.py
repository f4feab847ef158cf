"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Geometric noise by the inverse of its distribution on 2^30 points: nothing beyond b ln 2^30 = 20.8 b, so a moved
# value has releases that the other has not. Not pure; what is missing weighs 1e-9.
@dp.own_mechanism(
    "unread.mech_inverse_cdf",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)),
    source="its docstring",
    examples={"m": 3},
)
def report(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The largest score with exponential noise."""
    drawn = (1 + noise.uniform_below(2**30, m)) / 2**30
    return int(np.argmax(scores + np.floor(-scale * np.log(drawn))))
