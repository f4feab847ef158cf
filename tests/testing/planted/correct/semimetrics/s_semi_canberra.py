"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Canberra, a metric.
@dp.semimetric("rounds.canberra", triangle=lambda r: 1.0)
def canberra(a, b):
    """The sum of relative differences."""
    size = np.abs(a) + np.abs(b)
    return float(np.divide(np.abs(a - b), size, out=np.zeros(len(a)), where=size > 0).sum())
