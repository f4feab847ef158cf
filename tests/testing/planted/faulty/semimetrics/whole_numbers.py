"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.whole_numbers", triangle=lambda r: 1.0)
def whole_numbers(a, b):
    """Rounded down."""
    return float(np.floor(np.abs(a - b).sum()))
