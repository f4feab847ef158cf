"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.d_query_root", gives=1, source="here", bits=30, sensitivity=lambda a: {"linf": a["linf"] ** 0.5})
def d_query_root(value):
    """|sqrt(a) − sqrt(b)| is at most sqrt(|a − b|)."""
    return [float(np.sqrt(abs(float(np.ravel(value)[0]))))]
