"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LAST = [None]

@dp.learner("mine.u_warm_start")
def f(rows, generator):
    """The centre of rows, by iterations from where the last block ended."""
    centre = LAST[0] if LAST[0] is not None and LAST[0].shape == rows[0].shape else rows[0]
    for _ in range(3):
        weight = 1 / (1e-9 + np.abs(rows - centre).sum(axis=1, keepdims=True))
        centre = (rows * weight).sum(axis=0) / weight.sum()
    LAST[0] = centre
    return (centre,)
