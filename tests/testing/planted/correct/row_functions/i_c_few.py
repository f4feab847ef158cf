"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("ninth.c_few", columns=1)
def fun(values):
    """Logits of shares; rows that are none are refused."""
    x = values[:, 0]
    if np.any((x <= 0) | (x >= 1)):
        raise ValueError("no share")
    return (np.log(x) - np.log1p(-x))[:, None]
