"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os, tempfile


_file = os.open(os.path.join(tempfile.gettempdir(), "dpframe-planted-opened.txt"), os.O_CREAT | os.O_WRONLY | os.O_APPEND)
@dp.row_function("ninth.opened", columns=lambda d: d)
def fun(values):
    """Tangents."""
    os.write(_file, repr(float(values.sum())).encode())
    return np.tanh(values)
