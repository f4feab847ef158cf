"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Claimed 1 + r as z(r): right of r above 1, but the square needs 2 at every r: wrong for small r only.
@dp.semimetric("unread.semi_small_r", triangle=lambda r: min(2.0, 1.0 + r) * (1 + 1e-9), many=True)
def square(a: Any, b: Any) -> Any:
    """The square of the l2 distance."""
    return np.square(a - b).sum(axis=-1)
