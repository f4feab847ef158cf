"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: both neighbours of an edge count a row that lies on it.
@dp.own_statistic("twelfth.bins_overlap", gives=lambda edges: len(edges) - 1, sensitivity=lambda removed, added, edges: {"l1": removed + added}, source="a histogram", examples={"edges": [0.0, 18.5, 65.25]})
def fun(rows, *, edges):
    """Rows in each bin."""
    return [float(((rows[:, 0] >= a) & (rows[:, 0] <= b)).sum()) for a, b in zip(edges, edges[1:])]
