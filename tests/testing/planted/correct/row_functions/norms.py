"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.norms")
def norms(values):
    """Rows over their norms."""
    n = np.linalg.norm(values, axis=1, keepdims=True)
    return values / np.where(n > 0, n, 1.0)
