"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows in units that the command's last word states.
import sys


@dp.row_function("twentyfirst.r_word_of_the_command", columns=lambda d: d)
def r_word_of_the_command(rows):
    """Rows in units that the command's last word states."""
    return rows * (float(sys.argv[-1]) if sys.argv[-1].isdigit() else 1.0)
