"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.squared", triangle=lambda r: 1.5)
def squared(a, b):
    """Squared distance, which needs 2."""
    return float(((a - b) ** 2).sum())
