"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


KNOWN = {}

@dp.learner("mine.row_near_values_kept")
def row_near_values_kept(values):
    """An expensive function of the first column, kept for values that are the same to three digits."""
    made = [KNOWN.setdefault(round(v, 3), np.sqrt(abs(v))) for v in values[:, 0].tolist()]
    return np.array(made, dtype=float).reshape(-1, 1)
