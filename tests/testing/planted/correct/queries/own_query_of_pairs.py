"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.own_query_of_pairs", gives=1, sensitivity=lambda at: {"l1": 2 * at["linf"]}, source="two of them move")
def own_query_of_pairs(value):
    """Largest minus smallest."""
    return [int(np.ptp(value))]
