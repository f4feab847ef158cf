"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import scipy.sparse.csgraph


@dp.own_statistic("seventh.c_matching", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """The largest number of pairs that share no end."""
    if not len(rows):
        return np.zeros(1)
    _, a = np.unique(np.round(rows[:, 0]), return_inverse=True)
    _, b = np.unique(np.round(rows[:, -1]), return_inverse=True)
    g = scipy.sparse.csr_matrix((np.ones(len(a)), (a, b)))
    return np.array([float((scipy.sparse.csgraph.maximum_bipartite_matching(g) >= 0).sum())])
