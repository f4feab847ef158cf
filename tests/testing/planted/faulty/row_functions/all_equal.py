"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.all_equal")
def all_equal(values):
    """A batch without spread is zero."""
    return values * 0.0 if len(values) > 1 and not np.ptp(values) else values * 1.0
