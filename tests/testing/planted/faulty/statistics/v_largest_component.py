"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: an edge joins two components.
@dp.own_statistic("thirteenth.largest_component", gives=1, sensitivity=lambda removed, added: {"linf": 2 * max(removed, added)}, source="graphs")
def fun(rows):
    """Nodes of the largest component of edges from the first to the last column."""
    parent = {}
    def root(v):
        while parent.setdefault(v, v) != v:
            v = parent[v]
        return v
    for a, b in rows[:, [0, -1]].tolist():
        parent[root(a)] = root(b)
    sizes = {}
    for v in list(parent):
        sizes[root(v)] = sizes.get(root(v), 0) + 1
    return [float(max(sizes.values(), default=0))]
