"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.rounded_to_float32")
def rounded_to_float32(values):
    """Single precision."""
    return values.astype(np.float32).astype(np.float64)
