"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.misra", gives=dp.Counts(6), source="none", sensitivity=lambda removed, added: {"l1": float(removed + added), "linf": float(removed + added)})
def fun(rows):
    """Counts of the frequent ones of six codes, in three counters."""
    held = {}
    for code in np.clip(np.rint(rows[:, 0]), 0, 5).astype(int).tolist():
        if code in held:
            held[code] += 1
        elif len(held) < 3:
            held[code] = 1
        else:
            held = {c: v - 1 for c, v in held.items() if v > 1}
    return np.array([float(held.get(c, 0)) for c in range(6)])
