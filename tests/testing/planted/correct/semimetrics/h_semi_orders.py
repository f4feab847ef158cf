"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Ordered pairs that stand in another order, a tie half way between both.
@dp.semimetric("newerc12.orders", triangle=lambda r: 1.0)
def orders(a, b):
    """How far the orders of all pairs of entries are apart."""
    left = np.sign(np.subtract.outer(a, a))
    right = np.sign(np.subtract.outer(b, b))
    return float(np.abs(left - right).sum()) / 4
