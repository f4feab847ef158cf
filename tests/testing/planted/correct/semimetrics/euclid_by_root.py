"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.euclid_by_root", triangle=lambda r: 1.0)
def euclid_by_root(a, b):
    """A metric without any rounding up."""
    return float(np.sqrt(((a - b) ** 2).sum()))
