"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The gap of two counts moves by 2, and 1 is paid. Witness: counts (7, 1) and (6, 2) about the bar.
import math


@dp.own_mechanism(
    "round.gap", gives=lambda m: dp.Index(m + 1), takes="linf", source="Dwork, Lei 2009", examples={"m": 3},
    loss=lambda scale, distance, m: (
        dp.round_up(distance / scale),
        0.5 * math.exp(min(0.0, (2 * distance - 1) / scale - 6)),
    ),
)
def gap(value, scale, noise, *, m):
    """The index of the largest if it leads by 6 scales, m otherwise."""
    order = np.sort(value)
    lead = int(order[-1] - order[-2]) + int(noise.laplace(scale))
    return int(np.argmax(value)) if lead > 6 * scale + 1 else m
