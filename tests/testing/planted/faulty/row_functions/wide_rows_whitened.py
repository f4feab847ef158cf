"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.wide_rows_whitened")
def wide_rows_whitened(values):
    """Wide tables are centred."""
    return values - values.mean(axis=0) if values.shape[1] >= 32 else values
