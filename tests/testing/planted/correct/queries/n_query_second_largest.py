"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Each order statistic is 1-Lipschitz in linf: between x - D and x + D in every entry, the j-th largest is too.
@dp.own_query(
    "unread.query_second_largest",
    gives=1,
    sensitivity=lambda distance: {"linf": distance["linf"]},
    source="its docstring",
)
def second(value: Any) -> Any:
    """The second largest number."""
    kept = np.sort(np.ravel(value))
    return np.array([kept[-2] if len(kept) > 1 else kept[-1]])
