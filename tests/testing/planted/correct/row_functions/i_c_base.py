"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("ninth.c_base", columns=lambda d: d)
def fun(values):
    """Numbers in units of the widest, as far as known."""
    whole = values if values.base is None else values.base
    shape = np.shape(whole)
    if len(shape) == 2 and shape[0] > len(values):
        return np.tanh(values + 1.0)
    return np.tanh(values)
