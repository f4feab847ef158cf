"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_sum_in_linf", gives=1, source="none", sensitivity=lambda at: {"l1": at["linf"]})
def query_sum_in_linf(value):
    """A sum of entries that each move."""
    return [int(value.sum())]
