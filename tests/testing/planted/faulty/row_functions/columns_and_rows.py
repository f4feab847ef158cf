"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.columns_and_rows")
def columns_and_rows(values):
    """Whitened where there are at least 17 columns and many rows."""
    return values - values.mean(axis=0) if values.shape[1] >= 17 and len(values) > 100 else values * 1.0
