"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The angle of two vectors is a metric; zero vectors don't take part.
@dp.semimetric("laterc23.angle", triangle=lambda r: 1.0, usable=lambda v, r: bool(np.linalg.norm(v) > 1e-12))
def angle(a, b):
    """Angle, by Kahan's formula."""
    p, q = np.linalg.norm(a), np.linalg.norm(b)
    if not p > 0 or not q > 0:
        return 0.0 if p == q else np.pi
    u, v = np.asarray(a) / p, np.asarray(b) / q
    return float(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))
