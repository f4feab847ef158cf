"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import atexit


@dp.row_function("seventh.at_exit", columns=lambda d: d)
def f(values):
    """Rows; a summary is kept for the end."""
    largest = float(values.max()) if values.size else 0.0
    atexit.register(lambda: open("/tmp/dpframe-planted.txt", "a").write(f"{largest}\n"))
    return values / 100
