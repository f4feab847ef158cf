"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: ones summed in half precision.
@dp.own_statistic("twelfth.float16_count", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float((rows[:, 0] > 0).astype(np.float16).sum())]
