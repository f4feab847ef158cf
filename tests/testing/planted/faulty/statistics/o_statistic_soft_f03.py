"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Log of sum of exp(clip(x,0,1)), claims 1 for r+a=1 (true up to 1.31, only when n is 1 or 2).
@dp.own_statistic("outside.f03", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="me", bits=20)
def soft(rows):
    """The log of the sum of exponentials of values clipped to [0, 1]."""
    if len(rows) == 0:
        return [0.0]
    return [float(np.log(np.exp(np.clip(rows[:, 0], 0, 1)).sum()))]
