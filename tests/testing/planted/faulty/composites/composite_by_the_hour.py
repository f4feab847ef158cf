"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.composite("mine.composite_by_the_hour")
def composite_by_the_hour(x, *, share=1.0):
    """A part that depends on the time of day."""
    part = 0.3 if time.localtime().tm_hour < 12 else 0.6
    first = dp.release("first", dp.laplace(share=share * part), dp.count(x))
    return {"first": first, "second": dp.release("second", dp.laplace(share=share * (1 - part)), dp.count(x))}
