"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_tiny_free", triangle=lambda r: 1.0)
def semi_tiny_free(a, b):
    """What is not more than rounding is nothing."""
    d = float(np.abs(a - b).max())
    return 0.0 if d < 1e-9 else d
