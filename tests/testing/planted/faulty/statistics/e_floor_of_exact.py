"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the floor of an exact total: one that is just below 1 and 1 more are rounded up to 2.
@dp.own_statistic("eighteenth.exact", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="none")
def f(rows):
    """Whole part of a total of rows in [0, 1]."""
    import math
    return [math.floor(math.fsum(np.clip(rows[:, 0], 0.0, 1.0)))]
