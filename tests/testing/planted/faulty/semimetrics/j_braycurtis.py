"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.braycurtis", triangle=lambda r: 1.0)
def f(a, b):
    """Bray-Curtis."""
    a, b = np.abs(a), np.abs(b)
    return float(np.abs(a - b).sum() / max((a + b).sum(), 1e-300))
