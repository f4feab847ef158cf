"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.tie", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 5})
def f(v, scale, noise, *, m):
    """Noisy max; a tie at the top has no winner."""
    s = np.sort(v)
    if s[-1] == s[-2] and s[-1] > 100:
        return 0
    return int(np.argmax(v + noise.geometric(scale, m)))
