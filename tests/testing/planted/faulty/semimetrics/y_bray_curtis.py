"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Bray-Curtis has no triangle inequality in two and more dimensions (on the half line it has).
@dp.semimetric("laterf31.bray", triangle=lambda r: 1.0)
def bray(a, b):
    """Sum of differences over sum of sizes."""
    total = (np.abs(a) + np.abs(b)).sum()
    return float(np.abs(a - b).sum() / total) if total > 0 else 0.0
