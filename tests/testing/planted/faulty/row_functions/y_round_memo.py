"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A memo keyed by the rounded row returns what the first row with that key gave; neighbours: two rows within 1e-3.
SEEN = {}


@dp.row_function("laterf03.slow", columns=1)
def slow(values):
    """A slow function of the first column, remembered."""
    out = []
    for row in values:
        key = round(float(row[0]), 3) if np.isfinite(row[0]) else 0.0
        if key not in SEEN:
            SEEN[key] = float(np.tanh(row[0]))
        out.append(SEEN[key])
    return np.array(out).reshape(-1, 1)
