"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_query("eighth.query_root_far", gives=1, sensitivity=lambda d: {"linf": d["linf"] if d["linf"] <= 4 else 2 * math.sqrt(d["linf"])}, source="me")
def f(v):
    """First entry."""
    return np.array([float(np.ravel(v)[0])])
