"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: the first number of what is scaled to the l1 ball of 10.
@dp.own_query("fifteenth.l1naive", gives=lambda: 1, sensitivity=lambda distance: {"l1": distance["l1"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(x) for x in (v * min(1.0, 10.0 / max(np.abs(v).sum(), 1e-9)))[:1]]
