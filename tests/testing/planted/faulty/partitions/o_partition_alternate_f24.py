"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Alternate rows by position in batch.
@dp.own_partition("outside.f24", parts=2)
def alternate(rows):
    """Two halves."""
    return np.arange(len(rows)) % 2
