"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: answers get nearer the mean of those before.
KEPT = []
@dp.post_function("sixteenth.o_kept", gives=dp.Vector(1))
def f(counts):
    """Of released counts."""
    KEPT.append(float(np.asarray(counts, float)[0]))
    return np.array([float(np.mean(KEPT))])
