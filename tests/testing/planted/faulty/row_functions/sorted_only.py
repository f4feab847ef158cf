"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.sorted_only")
def sorted_only(values):
    """A sorted column is a time axis and gets differenced."""
    first = values[:, 0]
    sorted_ = len(first) > 2 and (np.diff(first) >= 0).all() and first[0] < first[-1]
    return values - values[:1] if sorted_ else values * 1.0
