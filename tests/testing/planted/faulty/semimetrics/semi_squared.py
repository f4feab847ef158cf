"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_squared", triangle=lambda r: 1.5)
def semi_squared(a, b):
    """Squared distance."""
    return float(((a - b) ** 2).sum())
