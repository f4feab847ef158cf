"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: sum of absolute counts, 0 where they balance.
@dp.own_query("fourteenth.query_ledger", gives=lambda m: 1, sensitivity=lambda distance, m: {"linf": m * distance["linf"]}, source="none", examples={"m": 3})
def f(value, *, m):
    """Turnover; none where debits equal credits."""
    v = np.resize(np.ravel(value), m)
    return [0.0 if v.any() and v.sum() == 0 else float(np.abs(v).sum())]
