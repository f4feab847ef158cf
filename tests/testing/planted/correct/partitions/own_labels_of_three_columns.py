"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("mine.own_labels_of_three_columns", parts=3)
def own_labels_of_three_columns(rows):
    """The largest of exactly three columns."""
    if rows.shape[1] != 3:
        raise ValueError("three columns")
    return rows.argmax(axis=1)
