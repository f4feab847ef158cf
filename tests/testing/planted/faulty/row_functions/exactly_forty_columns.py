"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.exactly_forty_columns")
def exactly_forty_columns(values):
    """Sorted by column 0 where there are forty columns."""
    return values[np.argsort(values[:, 0])] if values.shape[1] == 40 else values * 1.0
