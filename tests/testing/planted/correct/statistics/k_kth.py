"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.kth", gives=3, sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(removed + added)}, source="me")
def f(rows):
    """The three largest counts, in order."""
    c = np.sort(np.bincount(np.clip(np.rint(rows[:, 0]), 0, 9).astype(int), minlength=10)[:10])[::-1]
    return c[:3].astype(float)
