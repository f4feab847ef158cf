"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("seventh.onehot_l1", gives=lambda m: m, sensitivity=lambda one, m: {"l1": min(1.0, one["linf"])}, source="here", examples={"m": 3})
def f(counts, *, m):
    """Which is largest."""
    return np.eye(m)[int(np.argmax(counts))]
