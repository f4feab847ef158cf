"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.randomised_response", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="Warner")
def f(rows, scale, noise):
    """Whether distinct values are many: a Laplace count of distinct values, halved and rounded."""
    n = float(len(np.unique(rows[:, 0])))
    return np.floor((np.array([n]) + noise.laplace(scale, 1)) / 2)
