"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("eighth.raises_negative", columns=lambda d: d)
def f(values):
    """Refuses rows with a negative entry."""
    if (values < 0).any():
        raise ValueError("negative")
    return np.sqrt(values)
