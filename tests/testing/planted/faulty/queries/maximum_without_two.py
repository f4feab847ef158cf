"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.maximum_without_two", gives=1, sensitivity=lambda at: {"l1": at["linf"]}, source="none")
def maximum_without_two(value):
    """Largest minus smallest moves by two."""
    return [int(np.ptp(value))]
