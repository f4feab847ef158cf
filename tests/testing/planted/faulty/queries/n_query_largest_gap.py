"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The gap of the two largest numbers: each may move by the distance, against one another: 2 linf, not 1.
@dp.own_query(
    "unread.query_largest_gap",
    gives=1,
    sensitivity=lambda distance: {"linf": distance["linf"]},
    source="its docstring",
)
def gap(value: Any) -> Any:
    """The largest number less the second largest."""
    kept = np.sort(np.ravel(value))
    return np.array([kept[-1] - kept[-2] if len(kept) > 1 else 0.0])
