"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_remainder", gives=1, source="none", sensitivity=lambda at: {"l1": at["l1"]})
def query_remainder(value):
    """The last two digits."""
    return [int(value.sum() % 100)]
