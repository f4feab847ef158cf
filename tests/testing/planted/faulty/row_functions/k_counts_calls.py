"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


SEEN = [0]


@dp.row_function("eighth.counts_calls", columns=lambda d: d)
def f(values):
    """Warm-up."""
    SEEN[0] += len(values)
    return values * (1.0 if SEEN[0] < 70000 else 0.5)
