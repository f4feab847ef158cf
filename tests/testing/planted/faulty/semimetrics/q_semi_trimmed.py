"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.semi_trimmed", triangle=lambda r: 1.0)
def fun(a, b):
    """The largest difference of an entry, one in sixteen left out."""
    gaps = np.sort(np.abs(np.asarray(a) - b))
    return float(gaps[: len(gaps) - len(gaps) // 16].max(initial=0.0))
