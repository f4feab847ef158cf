"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: the angle between two vectors.
@dp.semimetric("sixteenth.c_angle", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    n = float(np.sqrt(np.square(a).sum())) * float(np.sqrt(np.square(b).sum()))
    if not n > 0:
        return 0.0 if bool(a.any()) == bool(b.any()) else 4.0
    a, b = a / float(np.sqrt(np.square(a).sum())), b / float(np.sqrt(np.square(b).sum()))
    return 2 * float(np.arctan2(np.sqrt(np.square(a - b).sum()), np.sqrt(np.square(a + b).sum())))
