"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_root_transform", gives=1, source="Anscombe 1948", bits=30, sensitivity=lambda a: {"linf": a["linf"]})
def query_root_transform(value):
    """2·sqrt(count + 3/8), whose slope is below 1 for counts."""
    return [2.0 * float(np.sqrt(max(float(np.ravel(value)[0]), 0.0) + 0.375))]
