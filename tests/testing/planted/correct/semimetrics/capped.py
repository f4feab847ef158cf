"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.capped", triangle=lambda r: 1.0)
def capped(a, b):
    """At most one."""
    return min(1.0, float(np.abs(a - b).max()))
