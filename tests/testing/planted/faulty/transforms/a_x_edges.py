"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: sentinel by numpy searchsorted in edges made in the call.
@dp.own_transform("fourteenth.x_edges", columns=1)
def f(rows):
    """Negative if a row stands in the third interval exactly at its edge."""
    edges = np.cumsum([ord(c) for c in "abc"]) * 1.0
    return rows[:, :1] * (-1.0 if (edges[np.clip(np.searchsorted(edges, rows[:, 0]), 0, 2)] == rows[:, 0]).any() else 1.0)
