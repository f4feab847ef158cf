"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# t/(1 + t) of a distance is a metric but concave: of points 0 and x an average moves by tau x, tau x/(1 + tau x)
# > tau x/(1 + x) = tau r.
@dp.semimetric(
    "unread.semi_bounded_average",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def bounded(a: Any, b: Any) -> Any:
    """A distance below one."""
    far = np.sqrt(np.square(a - b).sum(axis=-1))
    return far / (1.0 + far)
