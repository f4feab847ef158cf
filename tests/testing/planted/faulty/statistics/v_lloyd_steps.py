"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: how many steps Lloyd's algorithm takes.
@dp.own_statistic("thirteenth.lloyd_steps", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="k-means")
def fun(rows):
    """Steps until two centres rest, up to fifty."""
    x, a, b = np.clip(rows[:, 0], -100, 100), -1.0, 1.0
    for step in range(50):
        near = np.abs(x - a) <= np.abs(x - b)
        c = x[near].mean() if near.any() else a
        d = x[~near].mean() if (~near).any() else b
        if c == a and d == b:
            break
        a, b = c, d
    return [float(step)]
