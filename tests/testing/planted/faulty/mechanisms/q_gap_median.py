"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from fractions import Fraction


@dp.own_mechanism("eleventh.gap_median", gives=dp.Index(64), takes="edits", source="Smith 2011", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale)))
def fun(rows, scale, noise):
    """A median between 0 and 63: a gap between two rows by its rank, and any number in it."""
    x = np.sort(np.rint(np.clip(rows[:, 0], 0.0, 63.0)).astype(int))
    ends = np.concatenate([[0], x, [63]])
    ranks = np.arange(len(ends) - 1)
    chosen = int(noise.categorical_exp(-np.abs(2 * ranks - len(x)), Fraction(1) / Fraction(scale)))
    low, high = int(ends[chosen]), int(ends[chosen + 1])
    return low + int(noise.uniform_below(high - low + 1, 1)[0])
