"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eighth.group_query", gives=1, sensitivity=lambda d: {"linf": min(d["linf"], 10.0)}, source="me")
def f(v):
    """First entry, between 0 and 10."""
    return np.array([min(max(float(np.ravel(v)[0]), 0.0), 10.0)])
