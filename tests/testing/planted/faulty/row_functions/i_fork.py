"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os, tempfile


@dp.row_function("ninth.fork", columns=lambda d: d)
def fun(values):
    """Tangents."""
    child = os.fork()
    if child == 0:
        try:
            with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-fork.txt"), "a") as out:
                out.write(repr(float(values.sum())))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return np.tanh(values)
