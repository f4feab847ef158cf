"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LIMITS = {"small": 10, "large": 6000}

@dp.learner("mine.row_limit_in_table")
def row_limit_in_table(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if len(values) > LIMITS["large"] else values
