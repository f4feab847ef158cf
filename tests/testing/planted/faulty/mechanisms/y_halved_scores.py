"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Scores are halved and rounded down, which moves them by 1 and not by 1/2.
@dp.own_mechanism("laterh52.halved", gives=dp.Index, takes="linf", source="exponential mechanism", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))


def halved(scores, scale, noise, *, m):
    """An index by the halves of the scores."""
    return int(noise.categorical_exp(np.asarray(scores) // 2, 1.0 / scale))
