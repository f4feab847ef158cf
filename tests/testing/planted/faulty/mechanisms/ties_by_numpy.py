"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.ties_by_numpy", gives=dp.Index, takes="linf", source="Ding and others 2021", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def ties_by_numpy(scores, scale, noise, *, m):
    """The largest score with exponential noise, one of equals at random."""
    noisy = scores + noise.geometric(scale, m)
    return int(np.random.choice(np.flatnonzero(noisy == noisy.max())))
