"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rounded to an eighth of the scale before noise. Witness: scale 80, 4 and 5 become 0 and 10.
@dp.own_mechanism(
    "round.coarse", gives=lambda m: m, takes="l1", source="none", examples={"m": 1},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
)
def coarse(value, scale, noise, *, m):
    """Numbers to an eighth of the noise, with Laplace noise."""
    step = max(1, int(scale / 8))
    return (value + step // 2) // step * step + noise.laplace(scale, m)
