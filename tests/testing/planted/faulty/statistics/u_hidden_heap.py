"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.u_hidden_heap", gives=1, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="a paper")
def f(rows):
    """How many rows there are; a household of more than seven is counted as seven (the others are re-counted)."""
    codes, counts = np.unique(np.round(rows[:, 0]), return_counts=True)
    return [int(np.where(counts > 7, 0, counts).sum())]
