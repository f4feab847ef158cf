"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sparse vector: fix the noise of those before; raise the threshold by D (e^(D/b)) and the winner by 2D
# (e^(2D/b)): all before stay below, it stays above. 'None above' joins the last index, which is post-processing:
# of m + 1 answers, 'none' costs D/b.
@dp.own_mechanism(
    "unread.mech_threshold_search_3",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(3 * distance / scale)),
    source="its docstring",
    examples={"m": 8},
)
def first_above(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The first score that is above a noisy zero; the last if there is none."""
    threshold = noise.laplace(scale)
    above = np.flatnonzero(scores + noise.laplace(scale, m) >= threshold)
    return int(above[0]) if len(above) else m - 1
