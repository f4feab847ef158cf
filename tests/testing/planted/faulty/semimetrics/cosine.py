"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.cosine", triangle=lambda r: 1.0)
def cosine(a, b):
    """One minus the cosine, which is no metric."""
    n = np.linalg.norm(a) * np.linalg.norm(b)
    return float(max(0.0, 1.0 - (a * b).sum() / n)) if n > 0 else 1.0
