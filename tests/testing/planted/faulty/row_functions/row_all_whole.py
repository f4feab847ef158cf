"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_all_whole")
def row_all_whole(values):
    """Codes, if all are whole."""
    return np.sign(values) if (values == np.round(values)).all() else values
