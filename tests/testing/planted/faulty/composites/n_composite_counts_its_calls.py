"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# From the third call on the share is split otherwise: not the same graph every time.
_CALLS: list[int] = []


@dp.composite("unread.composite_counts_its_calls")
def counted(x: dp.Handle, *, share: float = 1.0) -> dp.Handle:
    """How many rows, twice."""
    _CALLS.append(1)
    first = 0.5 if len(_CALLS) < 3 else 0.25
    dp.release("first", dp.laplace(share=first * share), dp.count(x))
    return dp.release("count", dp.laplace(share=(1 - first) * share), dp.count(x))
