"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_noise_by_score", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    drawn = {}
    for s in value.tolist():
        if s not in drawn:
            drawn[s] = int(noise.geometric(scale, 1)[0])
    return int(np.argmax([s + drawn[s] for s in value.tolist()]))
