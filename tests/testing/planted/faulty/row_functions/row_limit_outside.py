"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LIMIT = 3000

@dp.learner("mine.row_limit_outside")
def row_limit_outside(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if len(values) > LIMIT else values
