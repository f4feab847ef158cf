"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LARGEST = [0.0]

@dp.learner("mine.running_maximum")
def running_maximum(values):
    """Over the largest seen so far."""
    LARGEST[0] = max(LARGEST[0], float(np.abs(values).max(initial=0.0)))
    return values / (LARGEST[0] or 1.0)
