"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.c_semi_bures", triangle=lambda r: 1.0)
def c_semi_bures(a, b):
    """A distance."""
    return abs(float(np.linalg.norm(a)) - float(np.linalg.norm(b)))
