"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A mean over the rows that there are, bounded as if there were n: with fewer non-empty rows it moves by more.
@dp.own_statistic("laterf11.mean", gives=1, bits=20, source="folklore", examples={"n": 20},
    sensitivity=lambda removed, added, n: {"linf": max(removed, added) / n})


def mean(rows, *, n):
    """Mean of the first column in [0, 1]; n is the size of the table."""
    return np.array([np.clip(rows[:, 0], 0.0, 1.0).sum() / max(len(rows), 1)])
