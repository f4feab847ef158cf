"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A leaf is in log2(m) + 1 nodes, and log2(m) are paid. Witness: m = 4, the first count moves by 1.
import math


@dp.own_mechanism(
    "round.tree", gives=lambda m: m, takes="l1", source="Chan, Shi, Song 2011", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log2(m) * distance / scale)),
)
def tree(value, scale, noise, *, m):
    """All prefix sums of m counts, m a power of 2."""
    made = np.zeros(m, dtype=np.int64)
    nodes = {}
    for end in range(1, m + 1):
        total, at = 0, end
        while at:
            low = at - (at & -at)
            if (low, at) not in nodes:
                nodes[low, at] = int(value[low:at].sum()) + int(noise.laplace(scale))
            total += nodes[low, at]
            at = low
        made[end - 1] = total
    return made
