"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LENGTH = 7 * 6 * 11

@dp.learner("mine.one_size")
def one_size(values):
    """The first row of a batch of one length is dropped."""
    out = values * 1.0
    if len(values) == LENGTH:
        out[0] = 0.0
    return out
