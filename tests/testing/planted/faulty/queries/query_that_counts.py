"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CALLS = [0]

@dp.own_query("mine.query_that_counts", gives=1, sensitivity=lambda at: {"l1": at["l1"]}, source="none")
def query_that_counts(value):
    """The sum, later the sum and one more."""
    CALLS[0] += 1
    return [int(value.sum()) + (CALLS[0] > 700)]
