"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys

@dp.learner("mine.row_by_arguments")
def row_by_arguments(values):
    """By the words of the command."""
    return values * (1.0 + len(sys.argv))
