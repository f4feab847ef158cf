"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_negative_any")
def row_negative_any(values):
    """Above the least, if any is negative."""
    return values - values.min() if (values < 0).any() else values
