"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: an edge adds one component or takes one away.
@dp.own_statistic("thirteenth.c_components", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="graphs")
def fun(rows):
    """Components of edges from the first to the last column."""
    parent = {}
    def root(v):
        while parent.setdefault(v, v) != v:
            v = parent[v]
        return v
    for a, b in rows[:, [0, -1]].tolist():
        parent[root(a)] = root(b)
    return [float(len({root(v) for v in list(parent)}))]
