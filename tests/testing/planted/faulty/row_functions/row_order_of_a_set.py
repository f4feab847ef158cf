"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


NAMES = {"age", "income", "height", "weight", "zip", "children", "rent"}

@dp.learner("mine.row_order_of_a_set")
def row_order_of_a_set(values):
    """Weighted by the place of a name."""
    return values[:, :1] * [*NAMES].index("rent")
