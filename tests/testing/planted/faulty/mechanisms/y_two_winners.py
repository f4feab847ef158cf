"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The two best by one draw of noise, charged as one; needs m >= 3.
@dp.own_mechanism("laterf21.two", gives=lambda m: dp.Index(m * m), takes="linf", source="report noisy max", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def two(scores, scale, noise, *, m):
    """First and second place as one index."""
    order = np.argsort(-(scores + noise.geometric(scale, m)), kind="stable")
    return int(order[0]) * m + int(order[1])
