"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: texts are padded to the longest of the batch.
@dp.own_transform("thirteenth.padded_text", columns=1)
def fun(rows):
    """How many blanks align a number."""
    words = np.array([f"{v:.6g}" for v in rows[:, 0]])
    width = words.dtype.itemsize // 4
    return np.array([width - len(w) for w in words], dtype=float)[:, None]
