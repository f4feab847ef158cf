"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from fractions import Fraction

GRID = np.array([-8.0, -2.0, 0.0, 2.0, 8.0])


@dp.own_mechanism("tenth.median", gives=dp.Index(5), takes="edits", source="Smith 2011", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def fun(rows, scale, noise):
    """Which of five numbers is nearest to the middle of the rows by rank."""
    x = rows[:, 0]
    scores = [-abs(int((x < g).sum()) - int((x > g).sum())) for g in GRID]
    return int(noise.categorical_exp(np.array(scores), Fraction(1) / Fraction(scale)))
