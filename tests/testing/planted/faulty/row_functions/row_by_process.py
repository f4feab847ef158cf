"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os

@dp.learner("mine.row_by_process")
def row_by_process(values):
    """By the process."""
    return values * (1.0 + os.getpid() % 7)
