"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Report noisy max with the order of candidates reversed: ties go to the last.
@dp.own_mechanism("laterc24.last", gives=dp.Index, takes="linf", source="Ding and others 2021", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def last(scores, scale, noise, *, m):
    """The index of the largest noisy score, the last of equals."""
    noisy = scores + noise.geometric(scale, m)
    return int(m - 1 - np.argmax(noisy[::-1]))
