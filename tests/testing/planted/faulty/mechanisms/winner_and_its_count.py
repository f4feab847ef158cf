"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.winner_and_its_count", gives=2, takes="linf", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def winner_and_its_count(scores, scale, noise, *, m):
    """Report noisy max, and what the largest noisy score was: it is there anyway."""
    noisy = scores + noise.laplace(scale, m)
    return [int(np.argmax(noisy)), int(noisy.max())]
