"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CALLS = [0]

@dp.semimetric("mine.counts_its_calls", triangle=lambda r: 1.0)
def counts_its_calls(a, b):
    """Drifts."""
    CALLS[0] += 1
    return float(np.abs(a - b).sum()) * (2.0 if CALLS[0] > 1000 else 1.0)
