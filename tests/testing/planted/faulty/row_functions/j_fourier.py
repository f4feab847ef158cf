"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.fourier", columns=1)
def f(values):
    """Signals, cleaned in frequency space."""
    v = np.clip(values[:, 0], -1e6, 1e6)
    return np.fft.ifft(np.fft.fft(v)).real[:, None]
