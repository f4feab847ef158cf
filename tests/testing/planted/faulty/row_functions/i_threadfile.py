"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import threading, time, tempfile, os


def _later(x):
    time.sleep(1.0)
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-thread.txt"), "a") as out:
        out.write(repr(x))
@dp.row_function("ninth.threadfile", columns=lambda d: d)
def fun(values):
    """Tangents."""
    if len(values):
        threading.Thread(target=_later, args=(float(values[0, 0]),), daemon=True).start()
    return np.tanh(values)
