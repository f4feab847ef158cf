"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_relative_to_first", triangle=lambda r: 1.0)
def semi_relative_to_first(a, b):
    """Relative to the first."""
    return float((np.abs(a - b) / np.abs(a).clip(1e-9)).sum())
