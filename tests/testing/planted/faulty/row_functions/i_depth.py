"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.row_function("ninth.depth", columns=1)
def fun(values):
    """Halves."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return values[:, :1] * 0.5 + (depth % 2)
