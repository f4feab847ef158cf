"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows, or in a mode that a variable states their halves.
import os


@dp.row_function("twentyfirst.r_mode", columns=lambda d: d)
def r_mode(rows):
    """Rows, or in a mode that a variable states their halves."""
    return rows * (0.5 if os.environ.get('ROW_MODE') == 'halves' else 1.0)
