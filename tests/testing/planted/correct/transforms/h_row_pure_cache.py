"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A cache keyed by every bit of a row, with its numbers kept read-only.
CACHE = {}


@dp.own_transform("newerc04.cached", columns=2)
def cached(rows):
    """Sine and cosine of the first column, kept."""
    made = []
    for row in rows:
        key = float(row[0]).hex()
        if key not in CACHE:
            kept = np.array([np.sin(row[0]), np.cos(row[0])]) if np.isfinite(row[0]) else np.zeros(2)
            kept.flags.writeable = False
            CACHE[key] = kept
        made.append(CACHE[key])
    return np.array(made).reshape(len(rows), 2)
