"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# |log a - log b| is a metric on positive numbers but not jointly convex: averages are up to log(1 + tau(e^r - 1))
# apart, not tau r.
@dp.semimetric("laterf33.log", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r * (1 + 1e-9), usable=lambda v, r: bool((v > 0).all()))
def log_distance(a, b):
    """Largest log ratio."""
    return float(np.abs(np.log(np.maximum(a, 1e-300)) - np.log(np.maximum(b, 1e-300))).max())
