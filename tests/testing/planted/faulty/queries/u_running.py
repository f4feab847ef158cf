"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.u_running", gives=3, sensitivity=lambda d: {"l1": d["l1"]}, source="a paper", examples={})
def f(a):
    """Running totals."""
    return np.cumsum(np.resize(np.ravel(a), 3))
