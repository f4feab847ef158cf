"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.angle", triangle=lambda r: 1.0)
def angle(a, b):
    """The angle between two vectors, by half-angles."""
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if not (na > 0 and nb > 0):
        return np.inf
    u, v = a / na, b / nb
    return float(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))
