"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CODES = {}

@dp.own_transform("mine.image_by_appearance", columns=1)
def image_by_appearance(rows):
    """Codes in order of appearance."""
    return np.array([[float(CODES.setdefault(v, len(CODES)))] for v in rows[:, 0].tolist()]).reshape(-1, 1)
