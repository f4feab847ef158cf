"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise in units of the gap beside the median. Witness: [0, 0, 0, 0, 9] has no noise at all.
@dp.own_mechanism(
    "round.local", gives=1, takes="edits", source="Nissim, Raskhodnikova, Smith 2007",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)),
)
def local(rows, scale, noise):
    """The median of the first column, whole and within 1000, with noise as wide as the table is spread there."""
    x = np.sort(np.rint(np.clip(rows[:, 0], 0, 1000)).astype(np.int64))
    x = np.concatenate([[0, 0], x, [1000, 1000]])
    at = len(x) // 2
    gap = int(max(x[at + 1] - x[at], x[at] - x[at - 1]))
    return np.array([int(x[at]) + (int(noise.laplace(scale * gap)) if gap else 0)])
