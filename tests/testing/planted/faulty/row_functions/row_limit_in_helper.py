"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def many(n):
    """Whether there are many."""
    return n > 7500

@dp.learner("mine.row_limit_in_helper")
def row_limit_in_helper(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if many(len(values)) else values
