"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.own_statistic("seventh.c_says", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """How many; says that it is asked."""
    print("counting", file=sys.stderr)
    return np.array([float(len(rows))])
