"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Scores of two candidates move in opposite directions, and half is paid. Witness: candidates 0, 1; add [-1] to
# [.5].
@dp.own_mechanism(
    "round.median", gives=lambda candidates: dp.Index(len(candidates)), takes="edits", source="McSherry, Talwar 2007",
    examples={"candidates": [0.0, 1.0, 2.0]},
    loss=lambda scale, removed, added, candidates: dp.Pure(dp.round_up((removed + added) / scale)),
)
def median(rows, scale, noise, *, candidates):
    """The candidate with as many rows below as above."""
    below = np.array([int(np.count_nonzero(rows[:, 0] < c)) for c in candidates])
    return int(noise.categorical_exp(-np.abs(2 * below - len(rows)), 1 / scale))
