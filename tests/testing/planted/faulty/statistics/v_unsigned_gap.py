"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a difference of unsigned counts.
@dp.own_statistic("thirteenth.unsigned_gap", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="two counts")
def fun(rows):
    """Rows above 0 less those below."""
    above, below = np.uint32((rows[:, 0] > 0).sum()), np.uint32((rows[:, 0] < 0).sum())
    return [float(above - below)]
