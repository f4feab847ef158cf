"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy import signal


@dp.row_function("eleventh.detrend", columns=lambda d: d)
def fun(rows):
    """Each row less the line through it."""
    return signal.detrend(np.nan_to_num(rows, nan=0.0, posinf=1e9, neginf=-1e9).clip(-1e9, 1e9), axis=1)
