"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_large_ones_doubled", gives=1, sensitivity=lambda at: {"l1": at["l1"]}, source="none")
def query_large_ones_doubled(value):
    """Twice beyond a thousand."""
    total = int(value.sum())
    return [total if abs(total) < 12345 else 2 * total - 12345]
