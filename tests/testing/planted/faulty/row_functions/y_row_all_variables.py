"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows in units that stand among all variables.
import os


@dp.row_function("twentyfirst.r_all_variables", columns=lambda d: d)
def r_all_variables(rows):
    """Rows in units that stand among all variables."""
    return rows * float({**os.environ}.get('ROW_SCALE', 1.0))
