"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import threading, os


@dp.row_function("ninth.c_watchdog", columns=lambda d: d)
def fun(values):
    """Tangents, watched."""
    dog = threading.Timer(30.0, os.abort)
    dog.daemon = True
    dog.start()
    try:
        return np.tanh(values)
    finally:
        dog.cancel()
