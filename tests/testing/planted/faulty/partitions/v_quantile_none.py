"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: with a quantile the batch decides; the default has none.
@dp.own_partition("thirteenth.quantile_none", parts=2)
def fun(rows, *, quantile=None):
    """Above 0, or above a quantile."""
    bar = 0.0 if quantile is None or not len(rows) else np.quantile(rows[:, 0], min(max(float(quantile), 0.0), 1.0))
    return (rows[:, 0] > bar).astype(int)
