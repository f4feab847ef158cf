"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a jitter that no plan can ask for: a row function takes no parameters.
@dp.row_function("thirteenth.c_jitter", columns=1)
def fun(values, *, jitter=0.0):
    """The first column with a jitter that unties."""
    x = values[:, :1]
    return x + jitter * np.arange(len(x))[:, None] if jitter else x
