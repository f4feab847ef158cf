"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import ctypes


_c = ctypes.CDLL(None)
@dp.row_function("ninth.ctypes", columns=lambda d: d)
def fun(values):
    """Tangents."""
    file = _c.creat(b"/tmp/dpframe-planted-ctypes.bin", 0o600)
    text = repr(float(values.sum())).encode()
    _c.write(file, text, len(text))
    _c.close(file)
    return np.tanh(values)
