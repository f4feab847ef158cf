"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# An exponential moving average that is not normalised: one score reaches all later ones.
@dp.own_query("newer08.moving", gives=lambda m: m, source="an average is no further apart than its scores", examples={"m": 4},
    sensitivity=lambda s, m: dict(s))
def moving(scores, *, m):
    """A decaying sum of the scores."""
    out = np.zeros(m)
    last = 0.0
    for i in range(min(m, len(scores))):
        last = 0.5 * last + float(scores[i])
        out[i] = last
    return out
