"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import gc


@dp.row_function("seventh.gc_count", columns=lambda d: d)
def f(values):
    """Rows, a little off when there is much garbage."""
    return values + (1e-3 if gc.get_count()[0] > 400 else 0.0)
