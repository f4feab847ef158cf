"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: np.isclose counts as 0.
@dp.semimetric("twelfth.isclose_metric", triangle=lambda r: 1.0)
def fun(a, b):
    """Euclid, and 0 for values that are the same to the eye."""
    return 0.0 if np.allclose(a, b) else float(np.sqrt(np.square(a - b).sum()))
