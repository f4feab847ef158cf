"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_transform("mine.image_of_a_chunk", columns=1)
def image_of_a_chunk(rows):
    """Whole chunks are ranked."""
    return np.argsort(np.argsort(rows[:, :1], axis=0), axis=0) * 1.0 if len(rows) >= 2**16 else rows[:, :1]
