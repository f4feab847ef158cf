"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sparse vector with one width for both noises: the threshold's costs D/b and the answer's 2D/b; claimed are 2D/b.
# With seven numbers below, -D each, the ratio of 'only the last is above' tends to e^(3D/b).
@dp.own_mechanism(
    "unread.mech_threshold_search",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)),
    source="its docstring",
    examples={"m": 8},
)
def first_above(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The first score that is above a noisy zero; the last if there is none."""
    threshold = noise.laplace(scale)
    above = np.flatnonzero(scores + noise.laplace(scale, m) >= threshold)
    return int(above[0]) if len(above) else m - 1
