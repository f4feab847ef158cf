"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# 1 - cos is about half the squared angle, whose triangle constant is 2; d >= 2 only.
@dp.semimetric("laterf32.cosine", triangle=lambda r: 1.5, usable=lambda value, r: bool(np.linalg.norm(value) > 1e-9))
def cosine(a, b):
    """Cosine distance."""
    size = np.linalg.norm(a) * np.linalg.norm(b)
    return float(max(0.0, 1.0 - float((a * b).sum()) / size)) if size > 0 else 0.0
