"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.squared_with_two", triangle=lambda r: 2.0)
def squared_with_two(a, b):
    """Squared distance, equality in the middle."""
    return float(((a - b) ** 2).sum())
