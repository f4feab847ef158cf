"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import scipy.sparse.csgraph


@dp.own_statistic("seventh.components", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """Connected groups of people; each row is a friendship."""
    if not len(rows):
        return np.zeros(1)
    ends = np.round(np.clip(rows[:, [0, -1]], -1e6, 1e6))
    names, codes = np.unique(ends, return_inverse=True)
    codes = codes.reshape(-1, 2)
    g = scipy.sparse.coo_matrix((np.ones(len(codes)), (codes[:, 0], codes[:, 1])), shape=(len(names),) * 2)
    return np.array([float(scipy.sparse.csgraph.connected_components(g, directed=False)[0])])
