"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.row_function("seventh.c_exit", columns=lambda d: d)
def f(values):
    """Rows; stops at bad ones."""
    if (np.abs(values) > 1e5).any():
        sys.exit("bad row")
    return values / 100
