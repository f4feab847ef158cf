"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_state_in_attribute")
def row_state_in_attribute(values):
    """In units of the first batch."""
    if not hasattr(row_state_in_attribute, "unit"):
        row_state_in_attribute.unit = float(np.abs(values).max(initial=0.0)) or 1.0
    return values / row_state_in_attribute.unit
