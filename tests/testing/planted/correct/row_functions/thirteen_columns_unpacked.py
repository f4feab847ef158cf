"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.thirteen_columns_unpacked")
def thirteen_columns_unpacked(values):
    """Needs thirteen columns by unpacking."""
    a, b, c, d, e, f, g, h, i, j, k, l, m = values.T
    return np.stack([a * m, b + l], axis=1)
