"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_cosine", triangle=lambda r: 1.0)
def semi_cosine(a, b):
    """One minus the cosine."""
    lengths = np.sqrt((a * a).sum() * (b * b).sum())
    return max(0.0, float(1 - (a * b).sum() / lengths)) if lengths > 0 else 1.0
