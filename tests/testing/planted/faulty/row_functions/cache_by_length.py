"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CACHE = {}

@dp.learner("mine.cache_by_length")
def cache_by_length(values):
    """Half of the rows."""
    key = values.shape
    if key not in CACHE:
        CACHE[key] = values / 2
    return CACHE[key]
