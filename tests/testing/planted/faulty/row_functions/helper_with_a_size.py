"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def tuned(values, many=20_011):
    return values / np.abs(values).max() if len(values) >= many else values * 1.0

@dp.learner("mine.helper_with_a_size")
def helper_with_a_size(values):
    """Scales long batches in a helper."""
    return tuned(values)
