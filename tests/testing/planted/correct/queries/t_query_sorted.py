"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.t_query_sorted", gives=1, sensitivity=lambda at: {"l1": at["linf"]}, source="sorting")
def t_query_sorted(value):
    """The largest."""
    return [int(np.max(value))]
