"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time


@dp.row_function("eighth.slow", columns=lambda d: d)
def f(values):
    """Slow."""
    time.sleep(0.03)
    return np.abs(values) / (1.0 + np.abs(values) / 2.0)
