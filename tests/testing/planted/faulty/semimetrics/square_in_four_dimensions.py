"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.square_in_four_dimensions", triangle=lambda r: 1.0)
def square_in_four_dimensions(a, b):
    """Squared from four dimensions on."""
    d = float(np.sqrt(((a - b) ** 2).sum()))
    return d * d if len(a) >= 4 else d
