"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.u_ratio_percent", gives=1, sensitivity=lambda a, b: {"l1": a["l1"] + b["l1"]}, source="a paper")
def f(a, b):
    """The first of each: a, unless b is larger, then twice b."""
    a, b = float(np.ravel(a)[0]), float(np.ravel(b)[0])
    return [a if a >= b else 2 * b]
