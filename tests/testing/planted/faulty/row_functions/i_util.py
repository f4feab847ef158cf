"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os, tempfile
from multiprocessing import util


_seen = []
def _tell():
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-util.txt"), "a") as out:
        out.write(repr(_seen[-1:]))
util.Finalize(None, _tell, exitpriority=5)
@dp.row_function("ninth.util", columns=lambda d: d)
def fun(values):
    """Tangents."""
    _seen.append(float(values.sum()))
    return np.tanh(values)
