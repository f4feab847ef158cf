"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows in units that a variable states, 1 where it is not set.
import os


@dp.row_function("twentyfirst.r_variable_of_one", columns=lambda d: d)
def r_variable_of_one(rows):
    """Rows in units that a variable states, 1 where it is not set."""
    return rows * float(os.getenv('ROW_SCALE', '1'))
