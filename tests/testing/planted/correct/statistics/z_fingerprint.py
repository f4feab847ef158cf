"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# How many values occur once, twice, ...: two steps of length at most 2, claimed 2 sqrt(2) for a replacement.
@dp.own_statistic("laterc25.fingerprint", gives=6, source="a row moves one value between neighbouring entries",
    sensitivity=lambda removed, added: {"l2": float(np.sqrt(2.0) * (removed + added)), "l1": 2.0 * (removed + added)})


def fingerprint(rows):
    """Counts of counts, up to six."""
    _, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([float((times == i).sum()) for i in range(1, 7)])
