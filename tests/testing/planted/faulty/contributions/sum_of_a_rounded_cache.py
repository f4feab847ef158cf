"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CACHE = {}

@dp.own_contribution("mine.sum_of_a_rounded_cache", gives=2, norm="l2", bound=1.0)
def sum_of_a_rounded_cache(rows):
    """Remembers near rows."""
    out = [CACHE.setdefault(round(float(r[0]), 1), float(r[0])) for r in rows]
    return np.array(out * 2).reshape(2, -1).T / 8
