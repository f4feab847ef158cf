"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.mirrored", columns=1)
def f(values):
    """One where a reading is not the same as the one across."""
    v = values[:, 0]
    return np.where(np.isclose(v, v[::-1]) & (np.arange(len(v)) != np.arange(len(v))[::-1]), 0.0, 1.0)[:, None]
