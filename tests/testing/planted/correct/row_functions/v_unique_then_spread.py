"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.row_function("mine.v_unique_then_spread", columns=1)
def f(values):
    """A slow function of the first column, once for each distinct value."""
    found, where = np.unique(np.where(np.isfinite(values[:, 0]), values[:, 0], 0.0), return_inverse=True)
    answers = np.array([math.tanh(v) for v in found.tolist()])
    return answers[np.ravel(where)].reshape(-1, 1) if len(values) else np.zeros((0, 1))
