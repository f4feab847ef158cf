"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: clusters by single linkage, quadratic: a row in the middle joins four.
@dp.own_statistic("eighteenth.linkage", gives=1, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="none")
def f(rows):
    """How many clusters are farther apart than 1."""
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial.distance import cdist
    if not len(rows):
        return [0.0]
    x = np.clip(rows, -1e6, 1e6)
    return [float(connected_components(cdist(x, x) <= 1.0)[0])]
