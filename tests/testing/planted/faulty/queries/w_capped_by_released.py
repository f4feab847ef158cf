"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.w_capped_by_released", gives=1, source="none", bits=10, sensitivity=lambda a: {"linf": a["linf"]})
def w_capped_by_released(value, cap):
    """The first number up to a released cap, in percent of the cap."""
    cap = max(abs(float(np.ravel(np.asarray(cap, dtype=float))[0])), 1e-3)
    return [100 * min(max(float(np.ravel(value)[0]), 0.0), cap) / cap]
