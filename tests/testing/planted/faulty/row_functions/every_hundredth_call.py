"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CALLS = [0]

@dp.learner("mine.every_hundredth_call")
def every_hundredth_call(values):
    """Zeros now and then."""
    CALLS[0] += 1
    return values * 0 if CALLS[0] % 100 == 0 else values
