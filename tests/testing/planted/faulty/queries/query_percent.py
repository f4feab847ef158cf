"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_percent", gives=1, source="none", sensitivity=lambda a: {"linf": a["l1"]})
def query_percent(value):
    """The share of the first count, in percent of at least a hundred."""
    counts = np.maximum(np.ravel(value), 0)
    return [int(100 * int(counts[0]) // max(int(counts.sum()), 50))]
