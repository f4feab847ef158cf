"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.t_row_in_place")
def t_row_in_place(values):
    """Halved where they are: the kernel hands a copy."""
    values /= 2
    return values
