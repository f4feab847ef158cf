"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Wide histograms: noise is drawn by the block, which is faster.
BLOCK = 1 << 12
@dp.own_mechanism(
    "wide.laplace",
    gives=lambda m: dp.Counts(m),
    takes="l1",
    loss=lambda scale, distance, **_: dp.Pure(dp.round_up(distance / scale)),
    source="Ghosh and others 2009",
    examples={"m": 3},
)
def wide(counts, scale, noise, *, m):
    """m counts with Laplace noise."""
    drawn = np.asarray(noise.laplace(scale, min(m, BLOCK)))
    return np.asarray(counts) + np.resize(drawn, m)
