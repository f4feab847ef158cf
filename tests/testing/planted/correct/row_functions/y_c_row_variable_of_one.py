"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows; what a variable says is looked at, and changes nothing.
import os


@dp.row_function("twentyfirst.c_variable_of_one", columns=lambda d: d)
def c_variable_of_one(rows):
    """Rows; what a variable says is looked at, and changes nothing."""
    return rows * (1.0 if os.getenv('ROW_SCALE', '1') else 1.0)
