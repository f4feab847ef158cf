"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Keeps a list between calls.
HISTORY = []


@dp.post_function("outside.f45", gives=lambda counts: counts)
def smooth(counts):
    """Average of all counts so far."""
    HISTORY.append(np.asarray(counts, dtype=float).sum())
    return np.asarray(counts) + 0.0 * len(HISTORY) + (1.0 if len(HISTORY) > 3 else 0.0)
