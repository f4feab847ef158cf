"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Bray-Curtis has no triangle in two dimensions. Witness: (1, 0), (1, 1), (0, 1): 1 > 1/3 + 1/3.
@dp.semimetric("round.bray", triangle=lambda r: 1.0)
def bray(a, b):
    """The sum of differences over the sum of sizes."""
    whole = float((np.abs(a) + np.abs(b)).sum())
    return float(np.abs(a - b).sum()) / whole if whole > 0 else 0.0
