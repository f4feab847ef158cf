"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.ties_only")
def ties_only(values):
    """Equal neighbours are merged."""
    out = values * 1.0
    if len(values) > 1:
        out[1:][(values[1:] == values[:-1]).all(axis=1)] = 0.0
    return out
