"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_first_nonzero")
def row_first_nonzero(values):
    """In units of the first that is not 0."""
    at = np.flatnonzero(values[:, 0])
    return values * (values[at[0], 0] if len(at) else 1.0)
