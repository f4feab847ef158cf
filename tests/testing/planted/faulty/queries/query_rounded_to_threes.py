"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_rounded_to_threes", gives=1, source="none", sensitivity=lambda at: {"l1": at["l1"]})
def query_rounded_to_threes(value):
    """In threes."""
    return [int(np.round(value.sum() / 3) * 3)]
