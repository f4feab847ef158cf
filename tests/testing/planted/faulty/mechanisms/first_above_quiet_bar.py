"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.first_above_quiet_bar", gives=lambda m: dp.Index(m + 1), takes="linf", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def first_above_quiet_bar(scores, scale, noise, *, m):
    """The first score above 0, or m: only the answer is paid for."""
    above = scores + noise.laplace(scale, m) > 0
    return int(np.argmax(above)) if above.any() else m
