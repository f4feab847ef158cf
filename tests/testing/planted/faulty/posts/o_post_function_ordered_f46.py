"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sorts its input in place.
@dp.post_function("outside.f46", gives=lambda vector: vector)
def ordered(vector):
    """Sorted."""
    vector.sort()
    return vector
