"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# 1 - cosine with triangle 1.
@dp.semimetric("outside.f35", triangle=lambda r: 1.0)
def cosine(a, b):
    """One less the cosine."""
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return 0.0 if size == 0 else max(0.0, 1.0 - float((a * b).sum()) / size)
