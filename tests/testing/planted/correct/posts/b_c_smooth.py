"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: a moving average of released counts.
@dp.post_function("fifteenth.c_smooth")
def f(counts):
    """A post."""
    c = np.asarray(counts, float)
    return np.convolve(c, np.ones(3) / 3, mode='same') if len(c) > 2 else c
