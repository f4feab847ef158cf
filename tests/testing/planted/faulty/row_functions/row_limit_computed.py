"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_limit_computed")
def row_limit_computed(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if len(values) > int("5000") else values
