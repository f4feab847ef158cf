"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.semimetric("mine.a", triangle=lambda r: 1.0)
def a(a, b):
    """|ln(a/b)| of positive numbers."""
    return abs(math.log(a[0] / b[0])) if min(a[0], b[0]) > 0 else math.inf
