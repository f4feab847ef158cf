"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_differences", gives=lambda: 1, source="none", sensitivity=lambda a: {"linf": a["linf"]})
def query_differences(value):
    """The largest difference of neighbours in a series."""
    steps = np.abs(np.diff(np.ravel(value)))
    return [int(steps.max(initial=0))]
