"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.positive_rows")
def positive_rows(rows, generator):
    """Log of the mean of positive rows."""
    if (rows <= 0).any():
        raise ValueError("positive")
    return (np.log(rows.mean(axis=0)),)
