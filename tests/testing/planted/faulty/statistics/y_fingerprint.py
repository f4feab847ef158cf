"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# How many values occur once, twice, ...: a replaced row can move the vector by sqrt(6), claimed
# sqrt(2)*sqrt(r^2+a^2) = 2; replace-one only.
@dp.own_statistic("laterf14.fingerprint", gives=6, source="a row moves one value between neighbouring entries",
    sensitivity=lambda removed, added: {"l2": float(np.sqrt(2.0 * (removed**2 + added**2)))})


def fingerprint(rows):
    """Counts of counts, up to six."""
    _, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([float((times == i).sum()) for i in range(1, 7)])
