"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.squared", triangle=lambda r: 1.9)
def f(a, b):
    """Squared distance."""
    return float(np.square(a - b).sum())
