"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.u_lead", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="a paper")
def f(rows):
    """By how much the commonest of three codes leads."""
    counts = np.bincount(np.clip(np.nan_to_num(rows[:, 0]), 0, 2).astype(int), minlength=3)
    top = np.sort(counts)
    return [top[-1] - top[-2]]
