"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: a deviation of a variance that noise made negative (smartnoise-core #342).
@dp.post_function("sixteenth.o_sqrt", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Of released counts."""
    return np.sqrt(np.asarray(counts, float))
