"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_positive_first")
def row_positive_first(values):
    """In units of the first row."""
    return values / values[0] if len(values) and (values[0] > 10).all() else values
