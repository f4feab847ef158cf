"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.window_of_sizes")
def window_of_sizes(values):
    """Centred in batches of 1234 to 1300 rows only."""
    return values - values.mean(axis=0) if 1234 <= len(values) < 1300 else values * 1.0
