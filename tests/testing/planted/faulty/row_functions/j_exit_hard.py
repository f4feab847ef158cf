"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.row_function("seventh.exit_hard", columns=lambda d: d)
def f(values):
    """Rows; stops at bad ones."""
    if (np.abs(values) > 1e5).any():
        os._exit(3)
    return values / 100
