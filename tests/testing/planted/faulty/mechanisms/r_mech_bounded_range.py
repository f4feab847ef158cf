"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A bounded range of distance/scale holds where all scores move one way. Witness: (0, 0) and (1, -1).
@dp.own_mechanism(
    "round.bounded_range", gives=dp.Index, takes="linf", source="Dong and others 2020", examples={"m": 3},
    loss=lambda scale, distance, m: dp.BoundedRange(dp.round_up(distance / scale)),
)
def bounded(value, scale, noise, *, m):
    """An index with probability in proportion to e^(score/scale)."""
    return int(noise.categorical_exp(value, 1 / scale))
