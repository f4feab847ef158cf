"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.mean_of_chunks")
def mean_of_chunks(values):
    """Centred in full chunks."""
    return values - values.mean(axis=0) if len(values) >= 2**16 else values
