"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.row_function("seventh.mkdir", columns=lambda d: d)
def f(values):
    """Rows; keeps a folder of their number."""
    os.makedirs(os.path.join("/tmp/dpframe-planted", str(len(values))), exist_ok=True)
    return values / 100
