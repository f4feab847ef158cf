"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.noisy_max_half", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(scores, scale, noise, *, m):
    """Noisy max."""
    return int(np.argmax(scores + noise.geometric(scale, m)))
