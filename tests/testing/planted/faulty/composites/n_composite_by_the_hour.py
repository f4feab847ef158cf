"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The graph hangs on the hour of day: what is certified is not what is made the next time.
import time


@dp.composite("unread.composite_by_the_hour")
def counted(x: dp.Handle, *, share: float = 1.0) -> dp.Handle:
    """How many rows, by one of two mechanisms."""
    if time.localtime().tm_hour % 2:
        return dp.release("count", dp.gaussian(share=share), dp.count(x))
    return dp.release("count", dp.laplace(share=share), dp.count(x))
