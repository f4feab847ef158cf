"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: share of entries that differ.
@dp.semimetric("fifteenth.c_frac", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    return float((a != b).mean())
