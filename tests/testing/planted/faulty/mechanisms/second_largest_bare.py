"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.second_largest_bare", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Ding and others 2021", examples={"m": 3})
def second_largest_bare(scores, scale, noise, *, m):
    """Noise on the leader only."""
    noisy = scores.copy()
    noisy[int(np.argmax(scores))] += int(noise.geometric(scale, 1)[0])
    return int(np.argmax(noisy))
