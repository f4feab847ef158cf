"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LAST = [0.0]

@dp.learner("mine.rows_near_the_last")
def rows_near_the_last(values):
    """Hysteresis against the row before, in the earlier batch too."""
    out = values * 1.0
    near = abs(values[0, 0] - LAST[0]) < 0.05 if len(values) else False
    if near:
        out[0] = LAST[0]
    LAST[0] = float(values[-1, 0]) if len(values) else LAST[0]
    return out
