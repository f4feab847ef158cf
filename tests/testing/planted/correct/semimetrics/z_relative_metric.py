"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# |a-b|/max(|a|,|b|) is a metric on the line (0 at 0), and so is the largest of several.
@dp.semimetric("laterc03.relative", triangle=lambda r: 1.0)
def relative(a, b):
    """Largest relative difference of a coordinate."""
    top = np.maximum(np.abs(a), np.abs(b))
    return float(np.max(np.where(top > 0, np.abs(a - b) / np.where(top > 0, top, 1.0), 0.0)))
