"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The fourth power of a norm: halves need 2^3 = 8, the claim is 4.
@dp.semimetric(
    "unread.semi_fourth_power", triangle=lambda r: 4.0, averages=lambda r, tau: (tau + 1e-9) * r, many=True
)
def fourth(a: Any, b: Any) -> Any:
    """The fourth power of the l2 distance."""
    return np.square(np.square(a - b).sum(axis=-1))
