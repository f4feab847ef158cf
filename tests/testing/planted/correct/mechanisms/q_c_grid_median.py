"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from fractions import Fraction


@dp.own_mechanism("eleventh.c_grid_median", gives=dp.Index(64), takes="edits", source="Smith 2011", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale)))
def fun(rows, scale, noise):
    """A median between 0 and 63."""
    x = np.rint(np.clip(rows[:, 0], 0.0, 63.0)).astype(int)
    below = np.searchsorted(np.sort(x), np.arange(64), side="right")
    return int(noise.categorical_exp(-np.abs(2 * below - len(x)), Fraction(1) / Fraction(scale)))
