"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A knock-out of candidates with fresh noise in each match, charged as one match.
@dp.own_mechanism("laterh66.cup", gives=dp.Index, takes="linf", source="pairwise comparison", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def cup(scores, scale, noise, *, m):
    """The winner of a cup."""
    left = list(range(m))
    while len(left) > 1:
        pairs = [(left[i], left[i + 1]) for i in range(0, len(left) - 1, 2)]
        rest = left[len(pairs) * 2 :]
        left = [a if int(scores[a]) - int(scores[b]) + int(noise.laplace(scale)) >= 0 else b for a, b in pairs] + rest
    return left[0]
