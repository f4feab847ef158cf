"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a median of a grid, charged what its score moves.
@dp.own_mechanism("twelfth.c_median_edits", gives=dp.Index(11), takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="McSherry and Talwar")
def fun(rows, scale, noise):
    """The grid point of 0 .. 10 with as many rows below as above."""
    first = rows[:, 0]
    scores = np.array([-abs(int((first < c).sum()) - int((first > c).sum())) for c in range(11)])
    return int(noise.categorical_exp(scores, 1 / (2 * scale)))
