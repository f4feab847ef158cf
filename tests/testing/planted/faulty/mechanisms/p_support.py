"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the exponential mechanism among candidates that were seen (a range by the data).
@dp.own_mechanism("sixteenth.support", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    seen = np.flatnonzero(v > 0)
    if not len(seen):
        return 0
    return int(seen[int(noise.categorical_exp(v[seen], 1 / scale, 1)[0])])
