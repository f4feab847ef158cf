"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Groups of points in the plane, linked within 1.
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
@dp.own_statistic(
    "nineteenth.s_dense_places",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)},
    source="own",
)
def s_dense_places(rows):
    """Groups of points in the plane, linked within 1."""
    if rows.shape[1] < 2 or not len(rows):
        return 0
    p = np.clip(rows[:, :2], -20.0, 20.0)
    gaps = np.hypot(p[:, None, 0] - p[None, :, 0], p[:, None, 1] - p[None, :, 1])
    return connected_components(csr_matrix(gaps <= 1.0), directed=False)[0]
