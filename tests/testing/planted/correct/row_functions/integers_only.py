"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.integers_only")
def integers_only(values):
    """Codes of whole numbers."""
    if (values != np.round(values)).any():
        raise ValueError("whole numbers only")
    return values % 3
