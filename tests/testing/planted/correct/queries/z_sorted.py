"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sorting brings no two vectors further apart in any norm.
@dp.own_query("laterc02.sorted", gives=lambda m: m, source="rearrangement inequality", examples={"m": 3}, sensitivity=lambda s, m: dict(s))
def by_size(scores, *, m):
    """Scores by size, padded."""
    x = np.zeros(m)
    x[: min(m, len(scores))] = scores[:m]
    return np.sort(x)
