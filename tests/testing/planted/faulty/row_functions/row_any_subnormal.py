"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_any_subnormal")
def row_any_subnormal(values):
    """Rounded where one is tiny."""
    return np.round(values, 3) if (np.abs(values) < 1e-300).any() else values
