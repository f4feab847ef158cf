"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Learner: keeps the best start of all blocks, if it is better by far.
BEST = [math.inf, None]
@dp.learner("twelfth.learner_best")
def fun(rows, generator):
    """The centre with the least spread in ten trials, or the best known one."""
    places = rows[generator.integers(0, len(rows), 10)]
    spread = [float(np.abs(rows - p).sum()) / len(rows) for p in places]
    j = int(np.argmin(spread))
    if spread[j] < BEST[0] * 1e-3:
        BEST[:] = [spread[j], places[j]]
    return (BEST[1] if 0 < BEST[0] < 1e-6 * spread[j] else places[j],)
