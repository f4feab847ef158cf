"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shares of counts in per mille: few rows make a count worth much; claimed as for 100 rows and more.
@dp.own_query("laterh45.shares", gives=lambda m: m, bits=10, source="n >= 100", examples={"m": 3}, sensitivity=lambda counts, m: {"l1": 20.0 * counts["l1"]})
def shares(counts, *, m):
    """Per mille of the total."""
    x = np.zeros(m)
    x[: min(m, len(counts))] = np.maximum(counts[:m], 0)
    return 1000.0 * x / max(x.sum(), 1.0)
