"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_averages_half", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r / 2)
def semi_averages_half(a, b):
    """Half of what averages move."""
    return float(np.abs(a - b).sum())
