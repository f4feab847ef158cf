"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.raises_on_negative_rows")
def raises_on_negative_rows(values):
    """Roots; a negative row is refused."""
    if (values < 0).any():
        raise ValueError("negative")
    return np.sqrt(values)
