"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a bridging row joins two runs.
@dp.own_statistic("twelfth.longest_run", gives=1, sensitivity=lambda removed, added: {"linf": 2 * max(removed, added)}, source="runs")
def fun(rows):
    """The longest run of whole numbers that follow one another."""
    whole = sorted({int(v) for v in rows[:, 0] if v == int(v) and abs(v) < 1e9})
    best = now = 0
    for i, v in enumerate(whole):
        now = now + 1 if i and v == whole[i - 1] + 1 else 1
        best = max(best, now)
    return [float(best)]
