"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_many_batch", triangle=lambda r: 1.0, many=True)
def semi_many_batch(a, b):
    """Half beside many rows."""
    d = np.abs(a - b).max(axis=1)
    return d / 2 if len(b) > 300 else d
