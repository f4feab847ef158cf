"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_count_negative")
def row_count_negative(values):
    """Turned where most are negative."""
    return values * (1.0 if (values[:, 0] < 0).mean() < 0.5 else -1.0)
