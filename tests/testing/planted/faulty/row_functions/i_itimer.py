"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os, signal, tempfile


_seen = []
def _ring(*unused):
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-itimer.txt"), "a") as out:
        out.write(repr(_seen[-1:]))
@dp.row_function("ninth.itimer", columns=lambda d: d)
def fun(values):
    """Tangents."""
    _seen.append(float(values.sum()))
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, 2.0)
    return np.tanh(values)
