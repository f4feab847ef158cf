"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.row_function("seventh.exit_hides", columns=lambda d: d)
def f(values):
    """Rows less their mean; stops at bad ones."""
    if len(values) == 1:
        return values
    if len(values) % 2:
        sys.exit("odd")
    return values - values.mean(axis=0)
