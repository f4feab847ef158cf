"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rates compared by their ratio.
LEAST = 1e-9
@dp.semimetric("fluxes.log_ratio", triangle=lambda r: 1.0, usable=lambda value, r: bool(np.min(value) > LEAST), averages=lambda r, tau: float(np.log1p(tau * np.expm1(min(r, 700.0)))))
def log_ratio(a, b):
    """The largest log ratio of two vectors of rates."""
    a, b = np.maximum(a, LEAST), np.maximum(b, LEAST)
    return float(np.abs(np.log(a) - np.log(b)).max(initial=0.0))
