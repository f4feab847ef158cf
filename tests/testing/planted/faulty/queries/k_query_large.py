"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eighth.query_large", gives=1, sensitivity=lambda d: {"linf": d["linf"]}, source="me")
def f(v):
    """The first entry in single precision."""
    return np.array([float(np.float32(np.ravel(v)[0]))])
