"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.c_hellinger", triangle=lambda r: 1.0)
def f(a, b):
    """Of roots of sizes."""
    return float(np.linalg.norm(np.sqrt(np.abs(a)) - np.sqrt(np.abs(b))))
