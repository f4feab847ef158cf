"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


PARTS = [object() for _ in range(40)]

@dp.learner("mine.row_order_by_id")
def row_order_by_id(values):
    """Weighted by the place of an object."""
    return values[:, :1] * sorted(PARTS, key=id).index(PARTS[7])
