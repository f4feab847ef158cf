"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Two noisy sums: laplace scale on each, priced l1/scale, looped in pure python.
@dp.own_mechanism("outside.c03", gives=lambda m: dp.Vector(m), takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def looped(values, scale, noise, *, m):
    """Laplace noise, one number at a time, from the last to the first."""
    found = [0] * m
    for at in reversed(range(m)):
        found[at] = int(values[at]) + int(noise.laplace(scale))
    return found
