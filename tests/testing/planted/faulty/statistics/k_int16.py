"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.int16", gives=2, sensitivity=lambda removed, added: {"l1": float(removed + added), "linf": float(max(removed, added))}, source="me")
def f(rows):
    """Counts by sign."""
    out = np.zeros(2, dtype=np.int16)
    for part, hit in enumerate((rows[:, 0] < 0, rows[:, 0] >= 0)):
        out[part] = np.add.reduce(hit, dtype=np.int16)
    return out.astype(float)
