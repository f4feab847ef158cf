"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_transform("mine.own_float32", columns=1)
def own_float32(rows):
    """Single precision."""
    return rows[:, :1].astype(np.float32)
