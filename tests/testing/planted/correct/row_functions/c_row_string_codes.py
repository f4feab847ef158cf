"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_row_string_codes")
def c_row_string_codes(values):
    """A row map."""
    codes = {'a': 0.0}
    return values + codes['a']
