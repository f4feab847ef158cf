"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.mean_of_long_batches")
def mean_of_long_batches(values):
    """Centred where the mean is good enough."""
    return values - values.mean(axis=0) if len(values) > 4096 else values
