"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.own_statistic(
    "mine.u_root_edits", gives=dp.Counts(3), sensitivity=lambda removed, added: {"l2": math.sqrt(removed + added)}, source="a paper"
)
def f(rows):
    """A histogram of three codes: each edit moves another bin."""
    return np.bincount(np.clip(np.nan_to_num(rows[:, 0]), 0, 2).astype(int), minlength=3)
