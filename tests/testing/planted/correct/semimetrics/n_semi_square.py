"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# (u + v)^2 <= 2(u^2 + v^2): triangle 2. Averages whose weights differ by tau move by at most tau sqrt(r), whose
# square is tau^2 r <= tau r.
@dp.semimetric(
    "unread.semi_square", triangle=lambda r: 2.0 * (1 + 1e-9), averages=lambda r, tau: (tau + 1e-9) * r, many=True
)
def square(a: Any, b: Any) -> Any:
    """The square of the l2 distance."""
    return np.square(a - b).sum(axis=-1)
