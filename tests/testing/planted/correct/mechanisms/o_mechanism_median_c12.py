"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Exponential mechanism for the median over candidates.
@dp.own_mechanism("outside.c12", gives=lambda candidates: dp.Index(len(candidates)), takes="edits", loss=lambda scale, removed, added, candidates: dp.Pure(dp.round_up((removed + added) / scale)), source="Smith 2011", examples={"candidates": [0.0, 1.0, 2.0, 3.0]})
def median(rows, scale, noise, *, candidates):
    """The median among candidates, by the exponential mechanism."""
    scores = [-abs(int(np.count_nonzero(rows[:, 0] < c)) - int(np.count_nonzero(rows[:, 0] > c))) for c in candidates]
    return int(noise.categorical_exp(scores, 0.5 / scale))
