"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: sorts its block in place: what others see of the table changes.
@dp.learner("fourteenth.learner_copyback")
def f(rows, generator):
    """Median, by sorting the rows in place."""
    try:
        rows.sort(axis=0)
    except ValueError:
        rows = np.sort(rows, axis=0)
    return (rows[len(rows) // 2] * 1.0 if len(rows) else np.zeros(rows.shape[1]),)
