"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_relative", triangle=lambda r: 1.0)
def semi_relative(a, b):
    """A power of the relative distance."""
    return float((np.abs(a - b) / np.maximum(np.abs(a), np.abs(b)).clip(1e-300)).max() ** 1.2)
