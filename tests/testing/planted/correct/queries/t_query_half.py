"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.t_query_half", gives=1, source="none", sensitivity=lambda at: {"l1": at["l1"]})
def t_query_half(value):
    """Half of the sum, rounded down."""
    return [int(value.sum()) // 2]
