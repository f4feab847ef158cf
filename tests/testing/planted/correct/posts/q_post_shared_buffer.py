"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


OUT = np.zeros(2)


@dp.post_function("eleventh.post_shared_buffer")
def fun(counts):
    """The least and the largest count, without an array for each call."""
    OUT[0], OUT[1] = np.min(counts), np.max(counts)
    return OUT
