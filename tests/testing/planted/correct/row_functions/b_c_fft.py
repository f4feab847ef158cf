"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a spectrum of each row.
@dp.row_function("fifteenth.c_fft", columns=lambda d: d)
def f(values):
    """Rows."""
    return np.abs(np.fft.fft(np.clip(np.nan_to_num(values), -1e6, 1e6), axis=1))
