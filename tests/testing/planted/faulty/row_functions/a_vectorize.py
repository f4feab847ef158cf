"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: np.vectorize takes the type of the first row's answer.
@dp.row_function("fourteenth.vectorize", columns=1)
def f(values):
    """Rate of tax."""
    rate = np.vectorize(lambda v: 0 if v < 10 else v * 0.19)
    return rate(values[:, :1]).astype(float) if len(values) else np.zeros((0, 1))
