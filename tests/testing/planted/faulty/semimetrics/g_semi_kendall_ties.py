"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Pairs in another order, ties agree with everything: a tie is near to both orders, which are apart.
@dp.semimetric("newer09.orders", triangle=lambda r: 1.0)
def orders(a, b):
    """How many pairs of entries stand in another order."""
    left = np.sign(a[:, None] - a[None, :])
    right = np.sign(b[:, None] - b[None, :])
    return float((left * right < 0).sum()) / 2
